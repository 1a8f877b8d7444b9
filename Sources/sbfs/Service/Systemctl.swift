import StuffBucket

/// `systemctl --user`, the program that manages a person's services.
struct Systemctl {
    /// Runs it.
    ///
    /// - Returns: its exit code, and what it wrote to both streams; `nil` if there is no such program.
    private func run(_ words: [String]) throws -> (status: Int32, output: [UInt8])? {
        let all = ["systemctl", "--user", "--no-pager"] + words
        guard let found = try Program.filter(all, errors: .taken, { _ in }) else { return nil }
        // 127: the child found no program.
        return found.status == 127 ? nil : found
    }

    /// Runs it for its effect.
    ///
    /// - Returns: `nil` if it worked, else why not, in one line.
    func failure(_ words: String...) throws -> String? {
        guard let found = try run(words) else { return "there is no program systemctl" }
        if found.status == 0 { return nil }
        let lines = found.output.split { $0 == 0x0A || $0 == 0x0D }.map { String(decoding: $0, as: UTF8.self) }
        return lines.isEmpty ? "systemctl failed (exit \(found.status))" : lines.joined(separator: "; ")
    }

    /// Properties of a unit; empty if they cannot be asked for.
    func properties(of unit: String, _ names: [String]) throws -> [String: String] {
        let words = ["show", unit, "--property=" + names.joined(separator: ",")]
        guard let (status, bytes) = try run(words), status == 0 else { return [:] }
        let output = String(decoding: bytes, as: UTF8.self)
        var properties: [String: String] = [:]
        for line in output.split(separator: "\n" as Character) {
            guard let equals = line.firstIndex(of: "=") else { continue }
            properties[String(line[..<equals])] = String(line[line.index(after: equals)...])
        }
        return properties
    }
}

import StuffBucket

/// Whether a clone of a library lacks the merge driver that .gitattributes names. Reads git's files and starts no
/// program, because each writing command asks.
enum CloneCheck {
    static let warning = "this clone does not join items yet; run \"sbfs git setup\""

    private static let limit = 1 << 20

    static func lacksDriver(_ library: String) -> Bool {
        guard let attributes = try? LocalFolder(library).contents(of: ".gitattributes", limit: limit),
            attributes.split(whereSeparator: { $0 <= 0x20 }).contains(where: { $0.elementsEqual("merge=sbfs".utf8) }),
            repository(of: library) != nil
        else { return false }
        return !hasDriver(library)
    }

    /// Whether git's settings have the driver, for this clone or for all.
    static func hasDriver(_ library: String) -> Bool {
        let own = repository(of: library).map { [$0 + "/config"] } ?? []
        return (own + personal).contains { hasDriver($0, depth: 0) }
    }

    /// The folder that has the repository's settings; `nil` without a repository.
    private static func repository(of library: String) -> String? {
        guard let status = try? LocalFolder(library).status(of: ".git") else { return nil }
        var folder = library + "/.git"
        // In a linked work tree and in a submodule it is a file that names the folder.
        if status.kind == .regular {
            guard let path = line(folder), path.hasPrefix("gitdir: ") else { return nil }
            folder = path.dropFirst(8).hasPrefix("/") ? String(path.dropFirst(8)) : library + "/" + path.dropFirst(8)
        }
        guard let common = line(folder + "/commondir") else { return folder }
        return common.hasPrefix("/") ? common : folder + "/" + common
    }

    private static func line(_ path: String) -> String? {
        (try? FilePath.contents(path, limit: 1 << 16)).map { Git.line($0) }
    }

    /// The person's and the machine's settings, which may have the driver for all repositories (git-config(1)).
    private static var personal: [String] {
        let home = Environment.home
        let config = Environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home + "/.config"
        return (Environment["GIT_CONFIG_GLOBAL"].map { [$0] } ?? [config + "/git/config", home + "/.gitconfig"])
            + [Environment["GIT_CONFIG_SYSTEM"] ?? "/etc/gitconfig"]
    }

    private enum Section {
        case driver, include, other

        /// - Parameter header: between the brackets.
        init(_ header: ArraySlice<UInt8>) {
            let words = String(decoding: header, as: UTF8.self).split { $0 == " " || $0 == "\t" }
            switch words.first?.lowercased() {
            case "merge" where words.count == 2 && words[1] == "\"sbfs\"": self = .driver
            case "include", "includeif": self = .include
            default: self = .other
            }
        }
    }

    /// Whether a file of settings, or one that it includes, has the driver. A condition of an include counts as met.
    private static func hasDriver(_ path: String, depth: Int) -> Bool {
        guard depth < 5, let bytes = try? FilePath.contents(path, limit: limit) else { return false }
        var section = Section.other
        for line in bytes.split(separator: 0x0A) {
            var rest = line.drop { $0 <= 0x20 }
            if rest.first == UInt8(ascii: "[") {
                guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { continue }
                section = Section(rest[(rest.startIndex + 1)..<end])
                rest = rest[(end + 1)...].drop { $0 <= 0x20 }
            }
            if case .other = section { continue }
            let parts = rest.split(separator: UInt8(ascii: "="), maxSplits: 1).map {
                String(decoding: $0, as: UTF8.self).trimmingSpace.filter { $0 != "\"" }
            }
            guard parts.count == 2 else { continue }
            switch (section, parts[0].lowercased()) {
            // The program may be gone; then git cannot start it.
            case (.driver, "driver"): return !GitSettings.startsNothing(parts[1])
            case (.include, "path"):
                let other = LibraryLocation.expand(parts[1])
                let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
                if hasDriver(other.hasPrefix("/") ? other : folder + "/" + other, depth: depth + 1) { return true }
            default: break
            }
        }
        return false
    }
}

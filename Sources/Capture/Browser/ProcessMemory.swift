import Characters
internal import Files
internal import Glibc

/// The memory of a process group, from /proc.
enum ProcessMemory {
    /// - Returns: resident bytes that are not shared with files, of all processes of the group; 0 without /proc.
    static func byteCount(ofGroup group: Int) -> Int {
        guard let stream = opendir("/proc") else { return 0 }
        defer { closedir(stream) }
        var pages = 0
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes -> String? in
                let digits = bytes.prefix { $0 != 0 }
                guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
                return String(decoding: digits, as: UTF8.self)
            }
            guard let name, let process = Int32(name), getpgid(process) == pid_t(group),
                let bytes = try? Directory(path: "/proc/" + name).contents(of: "statm", limit: 1024).bytes
            else { continue }
            // Sizes in pages: total, resident, shared with files, …
            let numbers = bytes.split(separator: 0x20).prefix(3).map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
            if numbers.count == 3 { pages += max(0, numbers[1] - numbers[2]) }
        }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}

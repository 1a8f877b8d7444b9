internal import CRuntime
internal import CSystem
internal import Glibc

/// The facts that the kernel gave this process at its start. Nothing here needs /proc.
public enum RunningProgram: Sendable {
    /// The number of this process.
    package static var processID: Int32 { getpid() }

    /// The words after the program's name; bytes that are not UTF-8 are replaced. `nil` if the process was started
    /// without even a name, or its words are unknown.
    public static var arguments: [String]? {
        let count = program_argument_count()
        guard count > 0 else { return nil }
        // Linux inserts an empty name if a program is started without any (execve(2)).
        if count == 1, program_argument(0).map({ $0.pointee == 0 }) ?? true { return nil }
        var words: [String] = []
        for index in 1..<max(1, count) {
            guard let word = program_argument(index) else { return nil }
            words.append(String(cString: word))
        }
        return words
    }

    /// The place of the first word that is not UTF-8, counted from 1; `nil` if all are.
    public static var brokenArgument: Int? {
        (1..<max(1, Int(program_argument_count()))).first { index in
            program_argument(Int32(index)).map { String(validatingCString: $0) == nil } ?? false
        }
    }

    /// Lets no core file and no other process of the same user have the memory of this process, which holds a secret.
    public static func keepMemoryPrivate() { _ = csystem_not_dumpable() }

    /// The running file, absolute and without symbolic links; `nil` if it is no longer under the name with which it
    /// was started. Read it before the process changes its folder.
    public static var path: String? {
        FilePath.real("/proc/self/exe") ?? program_path().flatMap { FilePath.real(String(cString: $0)) }
    }
}

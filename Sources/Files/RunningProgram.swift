internal import CArguments
internal import Glibc

/// What the kernel told this process when it started. Nothing here needs /proc.
public enum RunningProgram {
    /// The words behind the program's name; bytes that are no UTF-8 are repaired. `nil` if the process was started without
    /// even a name, or its words are not known.
    public static var arguments: [String]? {
        let count = carguments_count()
        guard count > 0 else { return nil }
        // Linux puts an empty name where a program is started without any (execve(2)).
        if count == 1, carguments_word(0).map({ $0.pointee == 0 }) ?? true { return nil }
        var words: [String] = []
        for index in 1..<max(1, count) {
            guard let word = carguments_word(index) else { return nil }
            words.append(String(cString: word))
        }
        return words
    }

    /// The file that runs, absolute and without symbolic links; `nil` if it is no longer there under the name that it was
    /// started by. Ask before the process changes its folder.
    public static var path: String? {
        FilePath.real("/proc/self/exe") ?? carguments_path().flatMap { FilePath.real(String(cString: $0)) }
    }
}

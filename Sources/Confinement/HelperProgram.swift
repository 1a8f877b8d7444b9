internal import CConfinement
internal import Glibc

/// Becomes another program that parses a stranger's data, with the rights of the profile `helper`.
package enum HelperProgram {
    /// Returns only if the program cannot be executed.
    ///
    /// - Parameters:
    ///   - program: an absolute path.
    ///   - environment: the program's, as `NAME=value`.
    /// - Returns: the errno.
    package static func become(
        _ program: String, _ arguments: [String], environment: [String] = ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"],
        reading: [String], writing: [String]
    ) -> Int32 {
        var confinement = Confinement(.helper, reading: reading, writing: writing)
        confinement.program = program
        // Copied first: later allocations would count against the limits.
        let words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        confinement.apply()
        execve(program, words, variables)
        return errno
    }
}

internal import CConfinement
internal import Glibc

/// Becomes another program that takes apart what a stranger made, with the rights of the profile `helper`.
package enum HelperProgram {
    /// Does not return unless the program cannot be executed.
    ///
    /// - Parameters:
    ///   - program: an absolute path.
    ///   - environment: the program's, as `NAME=value`.
    /// - Returns: why not, as errno.
    package static func become(
        _ program: String, _ arguments: [String], environment: [String] = ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"],
        reading: [String], writing: [String]
    ) -> Int32 {
        var confinement = Confinement(.helper, reading: reading, writing: writing)
        confinement.program = program
        // Copied before: what the allocator asks the kernel for then is counted against the limits already.
        let words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        confinement.apply()
        execve(program, words, variables)
        return errno
    }
}

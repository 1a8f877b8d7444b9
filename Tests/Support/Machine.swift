import Glibc

/// The programs and rights that this machine offers to tests.
///
/// A test that needs more than the machine has is skipped with its reason. If every test must run, it runs and fails.
package enum Machine {
    /// Whether every test must run: `SBFS_TEST_ALL` is set, as in continuous integration.
    package static let mustRunAll = getenv("SBFS_TEST_ALL") != nil

    /// Whether tests that need these programs run.
    package static func runs(_ programs: [String]) -> Bool { mustRunAll || programs.allSatisfy(hasProgram) }

    package static func runs(_ programs: String...) -> Bool { runs(programs) }

    /// Whether tests that need root run.
    package static var runsAsRoot: Bool { mustRunAll || getuid() == 0 }

    /// Those of the programs that are not installed.
    package static func missing(_ programs: [String]) -> [String] { programs.filter { !hasProgram($0) } }

    package static func hasProgram(_ name: String) -> Bool {
        ["/usr/bin/", "/bin/", "/usr/local/bin/", "/usr/sbin/", "/sbin/"].contains { access($0 + name, X_OK) == 0 }
    }
}

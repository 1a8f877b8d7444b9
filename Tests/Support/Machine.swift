import Glibc

/// What this machine lets tests use.
///
/// A test that needs more than the machine has is skipped with its reason. Where every test must run, it runs, and fails.
package enum Machine {
    /// Whether every test must run: `SBFS_TEST_ALL` is set, as continuous integration does.
    package static let mustRunAll = getenv("SBFS_TEST_ALL") != nil

    /// Whether tests with these programs run.
    package static func runs(_ programs: [String]) -> Bool { mustRunAll || programs.allSatisfy(hasProgram) }

    package static func runs(_ programs: String...) -> Bool { runs(programs) }

    /// Whether tests that only root can do run.
    package static var runsAsRoot: Bool { mustRunAll || getuid() == 0 }

    /// The programs of these that are not installed.
    package static func missing(_ programs: [String]) -> [String] { programs.filter { !hasProgram($0) } }

    package static func hasProgram(_ name: String) -> Bool {
        ["/usr/bin/", "/bin/", "/usr/local/bin/", "/usr/sbin/", "/sbin/"].contains { access($0 + name, X_OK) == 0 }
    }
}

import Glibc

/// Programs of the machine that a test needs and that need not be there.
enum Program {
    static func isInstalled(_ name: String) -> Bool {
        ["/usr/bin/", "/bin/", "/usr/local/bin/", "/usr/sbin/", "/sbin/"].contains { access($0 + name, X_OK) == 0 }
    }
}

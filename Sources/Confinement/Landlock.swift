internal import CConfinement
internal import Glibc

/// Landlock rules for one confinement: files, connections, and no signals to processes outside.
///
/// Relevant versions of the kernel's ABI: 1 files (Linux 5.13), 2 moving between folders, 3 truncating (6.2), 4 TCP
/// (6.7), 5 ioctl of devices, 6 signals and abstract sockets (6.12). Rights that a version does not know are left
/// out. Source: Documentation/userspace-api/landlock.rst.
struct Landlock {
    private enum Right {
        static let execute: UInt64 = 1 << 0
        static let write: UInt64 = 1 << 1
        static let read: UInt64 = 1 << 2
        static let list: UInt64 = 1 << 3
        static let removeFolder: UInt64 = 1 << 4
        static let removeFile: UInt64 = 1 << 5
        static let makeFolder: UInt64 = 1 << 7
        static let makeFile: UInt64 = 1 << 8
        static let refer: UInt64 = 1 << 13
        static let truncate: UInt64 = 1 << 14
        /// All rights of ABI version 1, from executing files to creating symbolic links.
        static let first: UInt64 = (1 << 13) - 1
        static let ioctlOfDevice: UInt64 = 1 << 15
        /// The rights that a rule may contain if its target is not a folder.
        static let ofFile = execute | write | read | truncate | ioctlOfDevice
    }

    private let confinement: Confinement

    init(_ confinement: Confinement) { self.confinement = confinement }

    func apply() -> [ConfinementPart] {
        let version = cconfinement_landlock_version()
        if version < 1 {
            let number = errno
            return ["Landlock files", "Landlock TCP", "Landlock scopes"].map { .init($0, .missing(number)) }
        }
        var ruleset = cconfinement_landlock_ruleset(files: Self.files(version), network: 0, scopes: 0)
        // Binding and connecting; fetching connects to any port.
        if version >= 4 { ruleset.network = confinement.profile == .fetch ? 1 : 3 }
        if version >= 6 { ruleset.scopes = 3 }
        // A kernel accepts a longer structure if the rest is zero. It is cut all the same.
        let size = version >= 6 ? 24 : version >= 4 ? 16 : 8
        let number = cconfinement_landlock_create(&ruleset, size)
        if number < 0 {
            let failure = errno
            return ["Landlock files", "Landlock TCP", "Landlock scopes"].map { .init($0, .missing(failure)) }
        }
        defer { close(number) }
        let reading = Right.read | Right.list
        var writing =
            reading | Right.write | Right.removeFile | Right.removeFolder | Right.makeFile | Right.makeFolder
        if version >= 2 { writing |= Right.refer }
        if version >= 3 { writing |= Right.truncate }
        for path in confinement.readable + Self.system(confinement.profile) { allow(path, reading, number) }
        for path in confinement.writable { allow(path, writing, number) }
        if let program = confinement.program, confinement.profile == .helper {
            allow(program, reading | Right.execute, number)
            for loader in Self.loaders { allow(loader, reading | Right.execute, number) }
        }
        if cconfinement_landlock_restrict(number) != 0 {
            let failure = errno
            return ["Landlock files", "Landlock TCP", "Landlock scopes"].map { .init($0, .missing(failure)) }
        }
        let tcp = confinement.profile == .fetch ? "no listening" : "no connections, no listening"
        return [
            .init("Landlock files", .inForce("version \(version), \(confinement.writable.count) folders to write in")),
            .init("Landlock TCP", version >= 4 ? .inForce(tcp) : .missing(ENOSYS)),
            .init("Landlock scopes", version >= 6 ? .inForce("no signals to others") : .missing(ENOSYS)),
        ]
    }

    private static func files(_ version: Int32) -> UInt64 {
        var rights = Right.first
        if version >= 2 { rights |= Right.refer }
        if version >= 3 { rights |= Right.truncate }
        if version >= 5 { rights |= Right.ioctlOfDevice }
        return rights
    }

    /// A path that does not exist needs no rule.
    private func allow(_ path: String, _ rights: UInt64, _ ruleset: Int32) {
        // O_PATH, in octal as in <asm-generic/fcntl.h>: the module defines it only under _GNU_SOURCE.
        let file = open(path, 0o10000000 | O_CLOEXEC)
        if file < 0 { return }
        defer { close(file) }
        var status = stat()
        if fstat(file, &status) != 0 { return }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        _ = cconfinement_landlock_allow(ruleset, file, isFolder ? rights : rights & Right.ofFile)
    }

    /// The parts of the system that every process of a profile may read.
    static func system(_ profile: Confinement.Profile) -> [String] {
        let time = ["/etc/localtime", "/usr/share/zoneinfo"]
        // For the dynamic linker, and for libraries that the C library loads later.
        let libraries = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"]
        switch profile {
        case .parse: return time
        case .helper: return time + libraries + ["/usr/share", "/etc/fonts", "/dev/null", "/dev/urandom"]
        case .fetch:
            return time + libraries + [
                // For resolving names; /etc/resolv.conf is often a link into /run.
                "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf",
                "/etc/services", "/etc/protocols", "/run/systemd/resolve", "/run/NetworkManager", "/run/resolvconf",
                // Certificate authorities.
                "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/ssl/cert.pem", "/etc/pki/tls/certs",
                "/etc/pki/ca-trust/extracted", "/etc/ca-certificates", "/etc/crypto-policies", "/etc/gnutls",
                "/usr/share/ca-certificates", "/usr/local/share/ca-certificates", "/usr/share/publicsuffix",
                "/usr/share/libpsl", "/dev/null", "/dev/urandom",
            ]
        }
    }

    /// The dynamic linker executes the program's first instructions, so the kernel checks the right to execute it.
    private static let loaders = [
        "/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", "/lib/ld-musl-x86_64.so.1",
        "/lib/ld-musl-aarch64.so.1",
    ]
}

internal import CConfinement
internal import CSystem
internal import Glibc

/// Actions that a confined process must not be able to perform, tried from inside. For tests: an attacker who takes
/// over the worker must be refused as well.
package enum Trial: String, CaseIterable, Sendable {
    case read, write, remove, mode, list
    case connect, datagram, local, listen, raw
    case execute, fork, trace, signal, namespace, mount
    case type, limit, newCall = "new-call", executable, foreign, keys

    /// - Parameter target: a path, a port, or the number of a process.
    /// - Returns: 0 if it succeeded, else errno.
    package func run(_ target: String) -> Int32 {
        let number = Int32(target) ?? 0
        return switch self {
        case .read: Self.outcome(open(target, O_RDONLY | O_CLOEXEC))
        case .list: Self.outcome(open(target, O_RDONLY | O_CLOEXEC | O_DIRECTORY))
        case .write: Self.outcome(csystem_openat(AT_FDCWD, target, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
        case .remove: Self.outcome(unlink(target))
        case .mode: Self.outcome(chmod(target, 0o777))
        case .connect: Self.connect(number, Int32(SOCK_STREAM.rawValue))
        case .datagram: Self.connect(number, Int32(SOCK_DGRAM.rawValue))
        case .local: Self.outcome(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
        case .raw: Self.outcome(socket(AF_PACKET, Int32(SOCK_RAW.rawValue), 0))
        case .listen: Self.listen()
        case .execute: Self.execute(target)
        case .fork: Self.outcome(cconfinement_trial_fork())
        case .trace: Self.outcome(cconfinement_trial_trace(number))
        case .signal: Self.outcome(kill(number, 0))
        case .namespace: Self.outcome(cconfinement_trial_namespace())
        case .mount: Self.outcome(cconfinement_trial_call(SYS_mount, 0))
        case .type: Self.outcome(cconfinement_trial_type(target))
        case .limit: Self.outcome(cconfinement_trial_limit())
        case .newCall: Self.outcome(cconfinement_trial_call(SYS_clone3, 0))
        case .keys: Self.outcome(cconfinement_trial_call(SYS_add_key, 0))
        case .executable: Self.outcome(cconfinement_trial_executable())
        case .foreign: Self.outcome(cconfinement_trial_foreign())
        }
    }

    private static func outcome(_ result: Int32) -> Int32 { result >= 0 ? 0 : errno }

    private static func connect(_ port: Int32, _ kind: Int32) -> Int32 {
        let socket = socket(AF_INET, kind, 0)
        if socket < 0 { return errno }
        var address = loopback(port)
        return outcome(
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            })
    }

    private static func listen() -> Int32 {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if socket < 0 { return errno }
        return outcome(Glibc.listen(socket, 1))
    }

    private static func execute(_ program: String) -> Int32 {
        var words: [UnsafeMutablePointer<CChar>?] = [strdup(program), nil]
        var variables: [UnsafeMutablePointer<CChar>?] = [nil]
        execve(program, &words, &variables)
        return errno
    }

    private static func loopback(_ port: Int32) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}

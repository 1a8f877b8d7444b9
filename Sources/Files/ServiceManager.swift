internal import Glibc

/// The service manager that started this process, as sd_notify(3) describes: it is told by datagrams on `$NOTIFY_SOCKET`.
package enum ServiceManager {
    /// Sends variables, such as `READY=1`, one a line; does nothing if no service manager listens.
    package static func tell(_ variables: String) {
        guard let name = getenv("NOTIFY_SOCKET").map({ String(cString: $0) }), !name.isEmpty else { return }
        let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0)
        if number < 0 { return }
        defer { close(number) }
        let bytes = Array(variables.utf8)
        _ = LocalAddress.with(name) { address, length in
            Int32(clamping: bytes.withUnsafeBytes { sendto(number, $0.baseAddress, $0.count, 0, address, length) })
        }
    }

    /// How often the service manager expects `WATCHDOG=1`; `nil` if it does not.
    package static var watchdogInterval: Duration? {
        guard let text = getenv("WATCHDOG_USEC").map({ String(cString: $0) }), let microseconds = Int64(text),
            microseconds > 0
        else { return nil }
        // The variable may have been meant for another process.
        if let process = getenv("WATCHDOG_PID").map({ String(cString: $0) }), process != "\(getpid())" { return nil }
        return .microseconds(microseconds)
    }
}

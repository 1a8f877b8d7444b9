import Foundation
import Glibc
import TestSupport

private enum LoopbackPort {
    /// A port on which nobody listens now.
    static func free() throws -> Int {
        let server = try TestServer { _ in .whole(status: 200, fields: [], body: []) }
        defer { server.close() }
        return Int(server.port)
    }

    /// Waits until somebody listens on a port.
    ///
    /// - Returns: false if that process ended before.
    static func answers(_ port: Int, while isRunning: () -> Bool) -> Bool {
        while isRunning() {
            let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(number) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(port).bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            let status = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            if status == 0 { return true }
            usleep(20_000)
        }
        return false
    }
}

/// A WebDAV server of rclone over a folder, and the configuration of three remotes: `dav`, `secret`, which encrypts, and `misspelt`, the same with
/// another password.
final class Cloud {
    static let exchange = "rclone:secret:sbfs"
    private let scratch: ScratchDirectory
    private var process: Process?
    private var port = 0
    /// What the server stores.
    var folder: String { scratch.full("store") }

    init() throws {
        scratch = try ScratchDirectory()
        try scratch.makeDirectory("store")
        try start()
    }

    deinit { stop() }

    func configure(_ sandbox: Sandbox) {
        sandbox.environment["RCLONE_CONFIG"] = scratch.full("rclone.conf")
        sandbox.environment["SBFS_OFFLINE"] = "0"
    }

    func start() throws {
        for _ in 0..<20 {
            if port == 0 { port = try LoopbackPort.free() }
            let server = Process()
            server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            server.arguments = [
                "rclone", "serve", "webdav", folder, "--addr", "127.0.0.1:\(port)", "--dir-cache-time", "1ms",
            ]
            server.standardError = FileHandle.nullDevice
            server.standardOutput = FileHandle.nullDevice
            try server.run()
            process = server
            if LoopbackPort.answers(port, while: { server.isRunning }) { break }
            stop()
            port = 0
        }
        try scratch.write(
            "rclone.conf",
            """
            [dav]
            type = webdav
            url = http://127.0.0.1:\(port)
            vendor = other

            [secret]
            type = crypt
            remote = dav:sealed
            password = \(try Self.sealed("a test"))

            [misspelt]
            type = crypt
            remote = dav:sealed
            password = \(try Self.sealed("a tset"))
            """)
    }

    /// A password as rclone's configuration has it.
    private static func sealed(_ password: String) throws -> String {
        let rclone = Process()
        let output = Pipe()
        rclone.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        rclone.arguments = ["rclone", "obscure", password]
        rclone.standardOutput = output
        try rclone.run()
        defer { rclone.waitUntilExit() }
        return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    func stop() {
        process?.terminate()
        process?.waitUntilExit()
        process = nil
    }
}

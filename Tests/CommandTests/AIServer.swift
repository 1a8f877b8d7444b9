import Foundation
import TestSupport
import Testing

/// Tests/AIServer/server.py: a model's provider on loopback, which has every fault that a test asks for.
final class AIServer {
    static let key = "sk-test-good-key-0123456789"

    let port: Int
    private let scratch: ScratchDirectory
    private let process = Process()
    private let input = Pipe()

    init() throws {
        scratch = try ScratchDirectory()
        let output = Pipe()
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", root.path + "/AIServer/server.py", scratch.path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line: [UInt8] = []
        while line.last != 0x0A {
            let byte = output.fileHandleForReading.readData(ofLength: 1)
            if byte.isEmpty { break }
            line += byte
        }
        guard let port = Int(String(decoding: line.dropLast(), as: UTF8.self)) else {
            throw LaunchError(call: "start Tests/AIServer/server.py", number: 0)
        }
        self.port = port
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// The address for a provider: `/keyed/v1` wants the key, `/own/v1` answers with text.
    func url(_ path: String = "/keyed/v1") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// The behaviours of the next requests; then they are good again.
    func behave(_ behaviours: String...) throws {
        try scratch.write("script", behaviours.map { $0 + "\n" }.joined())
    }

    func answer(_ name: String, _ json: String) throws { try scratch.write("answer-" + name, json) }

    struct Request {
        let path: String
        let fields: [String: String]
        let body: String
    }

    func requests() throws -> [Request] {
        guard let text = try? scratch.text("log") else { return [] }
        return try text.split(separator: "\n").map { line in
            let value = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            return Request(
                path: value["path"] as? String ?? "", fields: value["fields"] as? [String: String] ?? [:],
                body: value["body"] as? String ?? "")
        }
    }

    var logPath: String { scratch.full("log") }

    var connectionCount: Int { (try? scratch.text("connections"))?.split(separator: "\n").count ?? 0 }
}

extension Sandbox {
    /// Sets up the model of a server, without the log's counting the request that checks it.
    func useModel(
        of server: AIServer, provider: String = "anthropic", path: String = "/keyed/v1", model: String = "a-model"
    ) throws {
        environment["SBFS_OFFLINE"] = "0"
        environment["MODEL_KEY"] = AIServer.key
        try sbfs(
            "ai", "setup", "--provider", provider, "--url", server.url(path), "--model", model, "--key-env", "MODEL_KEY"
        )
    }
}

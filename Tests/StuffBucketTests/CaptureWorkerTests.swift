import Glibc
import TestSupport
import Testing
import WorkerProtocol

@testable import StuffBucket

/// The library with a worker that is missing or faulty.
struct CaptureWorkerTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    /// A program instead of the worker that answers each order with the same lines.
    private func worker(answering lines: String...) throws -> CaptureWorker {
        let answers = lines.map { "printf '%s\\n' '\($0)'" }.joined(separator: "\n")
        try scratch.write("worker", "#!/bin/sh\nwhile read -r order; do\n\(answers)\ndone\n")
        try scratch.makeProgram("worker")
        return try CaptureWorker(path: scratch.full("worker"))
    }

    private func sentence(_ work: () throws -> Void) -> String {
        do {
            try work()
            return "no error"
        } catch {
            return "\(error)"
        }
    }

    @Test func `without a path, or with a wrong one, an error says so`() {
        #expect(
            sentence { _ = try CaptureWorker(path: nil) }
                == "no path was given to sbfs-worker, the program that fetches and reads pages")
        #expect(
            sentence { _ = try CaptureWorker(path: "/nonexistent/worker") }
                == "sbfs-worker, the program that fetches and reads pages, cannot be run at /nonexistent/worker")
    }

    @Test func `a reply is read, and notes before it are passed on`() throws {
        let worker = try worker(
            answering: "{\"note\":[\"words\",\"slow\"]}", "{\"progress\":{\"step\":\"fetching\"}}",
            "{\"result\":{\"status\":\"full\"}}")
        defer { worker.end() }
        var notes: [String] = []
        let report = try worker.capture(CaptureOrder(url: "https://example.org/", folder: "/f")) {
            notes.append($0.description)
        }
        #expect(report == CaptureReport(.full))
        #expect(notes == ["slow"])
    }

    @Test(arguments: [
        ("{\"result\":{\"status\":\"fine\"}}", "the answer to capture has an unknown \"status\""),
        ("{\"result\":{}}", "the answer to capture has no \"status\""), ("hello", "an answer must be a JSON object"),
    ])
    func `an invalid answer fails the page, and the worker is started again`(line: String, why: String) throws {
        let worker = try worker(answering: line)
        defer { worker.end() }
        for _ in 0..<2 {
            let report = try worker.capture(CaptureOrder(url: "https://example.org/", folder: "/f"))
            #expect(report == .failed(.worker, CaptureDetail(.words, "sbfs-worker wrote an invalid answer: \(why)")))
        }
    }

    @Test func `an error of the worker is the error of the call`() throws {
        let worker = try worker(answering: "{\"error\":[\"words\",\"the file is gone\"]}")
        defer { worker.end() }
        #expect(sentence { _ = try worker.pageURL(ofFile: "/f") } == "the file is gone")
    }
}

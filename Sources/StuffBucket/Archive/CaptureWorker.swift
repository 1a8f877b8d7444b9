internal import Files
internal import Glibc
package import JSONFormat
package import Work

/// The program that fetches pages and reads HTML for this one: `sbfs-worker`, started when it is first needed.
///
/// What comes from the network is taken apart there, in a process that is killed when it takes too long or dies of what it
/// was given; this one only sees its lines. For use by one thread.
package final class CaptureWorker {
    package struct Failure: Error, CustomStringConvertible, Sendable {
        package let description: String
        var kind = CaptureReason.worker
    }

    private let program: String
    private var process: ChildProcess?

    package init() throws(Failure) { program = try Self.find() }

    /// The worker beside this program, or in ../libexec/sbfs.
    private static func find() throws(Failure) -> String {
        guard let own = RunningProgram.path else {
            throw Failure(
                description:
                    "sbfs-worker, the part that fetches and reads pages, cannot be looked for beside sbfs: where sbfs "
                    + "is cannot be told without /proc; start it by its whole path")
        }
        let folder = own.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(own[..<$0]) } ?? "."
        let places = [folder + "/sbfs-worker", folder + "/../libexec/sbfs/sbfs-worker"]
        for place in places where access(place, X_OK) == 0 { return place }
        throw Failure(
            description: "sbfs-worker, the part that fetches and reads pages, is not beside sbfs (\(folder)); install "
                + "sbfs again with Scripts/install")
    }

    /// Hands this process over to the worker.
    ///
    /// - Parameter handOver: called with the worker's path and the words.
    package static func become(_ words: [String], _ handOver: ([String]) -> Void) throws(Failure) {
        handOver([try find()] + words)
    }

    /// Ends the worker, which takes its browser and the browser's profile with it; it is started again by the next order.
    package func end() {
        process?.end(within: .seconds(5))
        process = nil
    }

    /// Sends one order and waits for its result.
    ///
    /// - Parameters:
    ///   - seconds: the time after which the worker is killed.
    ///   - progress: called with what the worker tells meanwhile.
    /// - Throws: `Failure` if it gives an error, says nothing in time, or dies.
    package func run(
        _ order: JSON, within seconds: Int, progress: (Message) -> Void = { _ in }
    ) throws(Failure) -> Message {
        let deadline = ContinuousClock.now + .seconds(seconds)
        do {
            let process = try started()
            try process.write(Message.line(order))
            while true {
                let line = try process.line(before: deadline, limit: 64 << 20)
                guard let message = Message(line) else {
                    throw Failure(description: "sbfs-worker wrote something that is no answer")
                }
                if let result = message.object("result") { return result }
                if let error = message.string("error") { throw Failure(description: error) }
                progress(message)
            }
        } catch let failure as Failure {
            throw failure
        } catch {
            process?.kill()
            process = nil
            throw Failure(description: Self.sentence(error, seconds), kind: Self.kind(error))
        }
    }

    private func started() throws(FileError) -> ChildProcess {
        if let process { return process }
        let new = try ChildProcess(path: program, arguments: ["serve"])
        process = new
        return new
    }

    private static func kind(_ error: any Error) -> CaptureReason {
        switch error as? ChildProcess.Silence {
        case .deadline: .timeout
        case .ended, .tooLong: .worker
        case nil: .machine
        }
    }

    private static func sentence(_ error: any Error, _ seconds: Int) -> String {
        switch error as? ChildProcess.Silence {
        case .deadline: "it took longer than \(seconds) s and was stopped"
        case .ended(let status) where status > 128: "sbfs-worker was killed (signal \(status - 128))"
        case .ended(let status): "sbfs-worker ended unexpectedly (exit \(status))"
        case .tooLong: "sbfs-worker wrote more than can be an answer"
        case nil: "\(error)"
        }
    }

    /// Saves a page; every way to fail is a report.
    package func capture(_ order: CaptureOrder, progress: (Message) -> Void = { _ in }) -> CaptureReport {
        // The worker keeps its own deadline; it is killed only if it does not.
        do {
            let message = try run(order.json, within: order.seconds + 15, progress: progress)
            return CaptureReport(message) ?? .failed(.worker, "sbfs-worker gave no report")
        } catch {
            return .failed(error.kind, error.description)
        }
    }
}

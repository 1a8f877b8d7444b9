internal import Files
internal import Glibc
public import WorkerProtocol

/// Runs `sbfs-worker`, the program that fetches pages and reads HTML for this one. It starts when first needed.
///
/// Everything from the network is parsed in that process, which is killed if it takes too long and may crash on
/// hostile input. This process reads only its lines. For use by one thread.
public final class CaptureWorker {
    /// Why the worker returned no result.
    public struct Failure: Error, CustomStringConvertible, Sendable {
        /// The reason, as a clause for a person.
        public let description: String
        var kind = CaptureReason.worker
    }

    private let program: String
    private var process: ChildProcess?

    /// - Parameter path: the program sbfs-worker; nothing starts before the first order.
    /// - Throws: `Failure` if the path is `nil` or no program can be run there.
    public init(path: String?) throws(Failure) {
        guard let path else {
            throw Failure(description: "no path was given to sbfs-worker, the program that fetches and reads pages")
        }
        guard access(path, X_OK) == 0 else {
            throw Failure(
                description: "sbfs-worker, the program that fetches and reads pages, cannot be run at \(path)")
        }
        program = path
    }

    /// Ends the worker with its browser and the browser's profile. The next order starts it again.
    public func end() {
        process?.end(within: .seconds(5))
        process = nil
    }

    /// Sends one order and waits for its result.
    ///
    /// - Parameters:
    ///   - seconds: the time after which the worker is killed.
    ///   - progress: receives the worker's progress.
    ///   - note: receives sentences for a person who watches.
    /// - Throws: `Failure` if the worker returns an error, does not answer in time, or dies.
    package func run<Order: WorkOrder>(
        _ order: Order, within seconds: Int, progress: (Order.Progress) -> Void = { _ in },
        note: (String) -> Void = { _ in }
    ) throws(Failure) -> Order.Reply {
        let deadline = ContinuousClock.now + .seconds(seconds)
        do {
            let process = try started()
            try process.write(order.line)
            while true {
                let line = try process.line(before: deadline, limit: 64 << 20)
                switch try WorkerAnswer<Order>(line: line) {
                case .result(let reply): return reply
                case .error(let sentence): throw Failure(description: sentence)
                case .progress(let step): progress(step)
                case .note(let sentence): note(sentence)
                }
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
        case nil: error is WireFault ? .worker : .machine
        }
    }

    private static func sentence(_ error: any Error, _ seconds: Int) -> String {
        switch error as? ChildProcess.Silence {
        case .deadline: "it took longer than \(seconds) s and was stopped"
        case .ended(let status) where status > 128: "sbfs-worker was killed (signal \(status - 128))"
        case .ended(let status): "sbfs-worker ended unexpectedly (exit \(status))"
        case .tooLong: "sbfs-worker wrote an answer above the limit"
        case nil: error is WireFault ? "sbfs-worker wrote an invalid answer: \(error)" : "\(error)"
        }
    }

    /// Saves a page. Each failure is part of the report.
    ///
    /// - Parameters:
    ///   - note: receives sentences for a person who watches.
    ///   - order: the page and how to save it.
    public func capture(
        _ order: CaptureOrder, note: (String) -> Void = { _ in }
    ) -> CaptureReport {
        // The worker has its own deadline. It is killed only if it exceeds that.
        do {
            return try run(order, within: order.seconds + 15, note: note)
        } catch {
            return .failed(error.kind, error.description)
        }
    }
}

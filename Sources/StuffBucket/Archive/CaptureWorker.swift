internal import Files
internal import Glibc
public import WorkerProtocol

/// The program that fetches pages and reads HTML for this one: `sbfs-worker`, started when it is first needed.
///
/// What comes from the network is taken apart there, in a process that is killed when it takes too long or dies of what it
/// was given; this one only sees its lines. For use by one thread.
public final class CaptureWorker {
    /// Why the worker gave no result.
    public struct Failure: Error, CustomStringConvertible, Sendable {
        /// Why there is no result, as a clause for a person.
        public let description: String
        var kind = CaptureReason.worker
    }

    private let program: String
    private var process: ChildProcess?

    /// - Parameter path: of the program sbfs-worker. Nothing is started before the first order.
    /// - Throws: `Failure` if no path is given, or if no program can be run there.
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

    /// Ends the worker, which takes its browser and the browser's profile with it; it is started again by the next order.
    public func end() {
        process?.end(within: .seconds(5))
        process = nil
    }

    /// Sends one order and waits for its result.
    ///
    /// - Parameters:
    ///   - seconds: the time after which the worker is killed.
    ///   - progress: called with what the worker tells meanwhile.
    ///   - note: called with sentences for a person who looks on.
    /// - Throws: `Failure` if it gives an error, says nothing in time, or dies.
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

    /// Saves a page; every way to fail is a report.
    ///
    /// - Parameters:
    ///   - note: called with sentences for a person who looks on.
    ///   - order: what the worker does.
    public func capture(
        _ order: CaptureOrder, note: (String) -> Void = { _ in }
    ) -> CaptureReport {
        // The worker keeps its own deadline; it is killed only if it does not.
        do {
            return try run(order, within: order.seconds + 15, note: note)
        } catch {
            return .failed(error.kind, error.description)
        }
    }
}

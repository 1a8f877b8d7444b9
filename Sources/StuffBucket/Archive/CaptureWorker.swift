internal import Files
internal import Glibc
public import Items
public import WorkerProtocol

/// Runs `sbfs-worker`, the program that fetches pages and reads HTML for this one. It starts when first needed.
///
/// Everything from the network is parsed in that process, which is killed if it takes too long and may crash on
/// hostile input. This process reads only its lines. For use by one thread.
public final class CaptureWorker {
    /// Why the worker returned no result.
    public enum Failure: Error, Sendable {
        /// No path was given.
        case noPath
        /// No program can be run at the path.
        case notExecutable(path: String)
        /// The worker answered that it cannot do the work, and why.
        case answer(CaptureDetail)
        /// It took longer than this, and was stopped.
        case deadline(seconds: Int)
        /// A signal ended it.
        case killed(signal: Int)
        /// It ended on its own, with this exit code.
        case ended(status: Int)
        /// Its answer is above the limit.
        case tooLong
        /// Its answer is none of the protocol.
        case invalidAnswer(any Error)
        /// It could not be started.
        case notStarted(any Error)
    }

    /// The program, for commands that need no orders.
    let program: WorkerProgram
    private let arguments: [String]
    private var process: ChildProcess?

    /// - Parameter path: the program sbfs-worker; nothing starts before the first order.
    /// - Throws: `Failure` if the path is `nil` or no program can be run there.
    public convenience init(path: String?) throws(Failure) { try self.init(path: path, holdsSecrets: false) }

    /// - Parameter holdsSecrets: whether its memory must be in no core file, since orders hold a key.
    init(path: String?, holdsSecrets: Bool) throws(Failure) {
        guard let path else {
            throw .noPath
        }
        guard access(path, X_OK) == 0 else { throw .notExecutable(path: path) }
        program = WorkerProgram(path: path)
        arguments = holdsSecrets ? ["serve", "--private"] : ["serve"]
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
    ///   - note: receives what a person who watches may want to know.
    /// - Throws: `Failure` if the worker returns an error, does not answer in time, or dies.
    package func run<Order: WorkOrder>(
        _ order: Order, within seconds: Int, _ monitor: Monitor = Monitor(),
        progress: (Order.Progress) -> Void = { _ in }, note: (CaptureDetail) -> Void = { _ in }
    ) throws -> Order.Reply {
        let deadline = ContinuousClock.now + .seconds(seconds)
        do {
            let process = try started()
            try process.write(order.line)
            while true {
                let line = try Self.line(of: process, before: deadline, monitor)
                switch try WorkerAnswer<Order>(line: line) {
                case .result(let reply): return reply
                case .error(let detail): throw Failure.answer(detail)
                case .progress(let step): progress(step)
                case .note(let detail): note(detail)
                }
            }
        } catch let failure as Failure {
            throw failure
        } catch {
            process?.kill()
            process = nil
            if error is ItemError { throw error }
            throw Failure(error, within: seconds)
        }
    }

    /// The next line; looks at the monitor ten times a second.
    private static func line(
        of process: ChildProcess, before deadline: ContinuousClock.Instant, _ monitor: Monitor
    ) throws -> [UInt8] {
        while true {
            try monitor.check()
            let turn = min(deadline, .now + .milliseconds(100))
            do {
                return try process.line(before: turn, limit: 64 << 20)
            } catch ChildProcess.Silence.deadline where turn < deadline {
                continue
            }
        }
    }

    private func started() throws(FileError) -> ChildProcess {
        if let process { return process }
        let new = try ChildProcess(path: program.path, arguments: arguments)
        process = new
        return new
    }

    /// What a stream's end means.
    static func failure(_ error: any Error) -> any Error {
        switch error {
        case ChildProcess.Silence.ended(let status) where status > 128: Failure.killed(signal: Int(status) - 128)
        case ChildProcess.Silence.ended(let status): Failure.ended(status: Int(status))
        case is WireFault: Failure.invalidAnswer(error)
        default: error
        }
    }

    /// Saves a page into a folder, outside of any library. Each failure is part of the report.
    ///
    /// - Parameters:
    ///   - url: an http or https URL.
    ///   - folder: the full path of an existing empty folder. It gets page.html, reader.html and assets/, and page.pdf and
    ///     page.png if the options want them, or document/ if the link leads to another kind of file.
    ///   - options: all count but `keepsAll`, `isChosen` and `isAttached`.
    ///   - monitor: cancels the capture; the worker is killed then.
    ///   - note: receives the worker's remarks for a person who watches.
    /// - Throws: `ItemError.cancelled`.
    public func capture(
        _ url: String, into folder: String, _ options: ArchiveOptions = ArchiveOptions(),
        _ monitor: Monitor = Monitor(), note: (CaptureDetail) -> Void = { _ in }
    ) throws -> CaptureReport {
        var order = CaptureOrder(url: url, folder: folder)
        order.access = options.access(isTyped: options.isTyped)
        order.browser = options.browser
        order.seconds = options.seconds
        order.isAsIs = options.isAsIs
        order.isPrinted = options.isPrinted
        order.isPictured = options.isPictured
        order.savedFile = options.savedFile
        return try capture(order, monitor, note: note)
    }

    /// Saves a page as an order says. Each failure is part of the report.
    package func capture(
        _ order: CaptureOrder, _ monitor: Monitor = Monitor(), note: (CaptureDetail) -> Void = { _ in }
    ) throws -> CaptureReport {
        // The worker has its own deadline. It is killed only if it exceeds that.
        do {
            return try run(order, within: order.seconds + 15, monitor, note: note)
        } catch let failure as Failure {
            if case .answer(let detail) = failure { return .failed(failure.kind, detail) }
            return .failed(failure.kind, CaptureDetail(.words, failure.description))
        }
    }
}

extension CaptureWorker.Failure {
    fileprivate init(_ error: any Error, within seconds: Int) {
        switch error as? ChildProcess.Silence {
        case .deadline: self = .deadline(seconds: seconds)
        case .ended(let status) where status > 128: self = .killed(signal: Int(status) - 128)
        case .ended(let status): self = .ended(status: Int(status))
        case .tooLong: self = .tooLong
        case nil: self = error is WireFault ? .invalidAnswer(error) : .notStarted(error)
        }
    }

    /// What the item keeps of it.
    var kind: CaptureReason {
        switch self {
        case .deadline: .timeout
        case .notStarted: .machine
        default: .worker
        }
    }
}

extension CaptureWorker.Failure: CustomStringConvertible {
    /// Why the worker gave no result, as a clause for a person.
    public var description: String {
        switch self {
        case .noPath: "no path was given to sbfs-worker, the program that fetches and reads pages"
        case .notExecutable(let path):
            "sbfs-worker, the program that fetches and reads pages, cannot be run at \(path)"
        case .answer(let detail): detail.description
        case .deadline(let seconds): "it took longer than \(seconds) s and was stopped"
        case .killed(let signal): "sbfs-worker was killed (signal \(signal))"
        case .ended(let status): "sbfs-worker ended unexpectedly (exit \(status))"
        case .tooLong: "sbfs-worker wrote an answer above the limit"
        case .invalidAnswer(let fault): "sbfs-worker wrote an invalid answer: \(fault)"
        case .notStarted(let error): "\(error)"
        }
    }
}

internal import Characters
internal import Files
internal import Glibc
internal import WorkerProtocol

/// Answers to orders of one kind: lines on standard output, each flushed at once.
enum Answer<Order: WorkOrder> {
    static func result(_ reply: Order.Reply) { write(.result(reply)) }
    static func error(_ detail: CaptureDetail) { write(.error(detail)) }
    static func note(_ detail: CaptureDetail) { write(.note(detail)) }
    static func progress(_ progress: Order.Progress) { write(.progress(progress)) }

    private static func write(_ answer: WorkerAnswer<Order>) { StandardOutput.write(answer.line) }
}

/// The answer to a line that is no valid order, or to an order whose process gave none.
enum Refusal {
    static func say(_ detail: CaptureDetail) { StandardOutput.write(Message.errorLine(detail)) }
}

/// Writes the answers to standard output.
enum StandardOutput {
    /// Writes a line; ends the process if nobody reads any more.
    static func write(_ line: [UInt8]) {
        var done = 0
        while done < line.count {
            let count = line.withUnsafeBytes { bytes in
                uninterrupted { Glibc.write(1, bytes.baseAddress.map { $0 + done }, bytes.count - done) }
            }
            if count <= 0 { exit(0) }
            done += count
        }
    }
}

/// Writes messages of the worker's commands for a person.
enum StandardError {
    /// Writes a line; a name in it moves no cursor.
    static func say(_ line: String) {
        let bytes = Array((Printable.line(line) + "\n").utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
    }
}

internal import Files

/// The program `sbfs-worker`, run for one command that reads a stream of bytes and writes one.
struct WorkerProgram: Sendable {
    let path: String

    /// Starts the program.
    ///
    /// - Parameter file: what it reads; `nil` for what `PipedProgram.write` gives.
    /// - Throws: `CaptureWorker.Failure.notStarted`.
    func streaming(_ arguments: [String], reading file: SharedFile? = nil) throws -> PipedProgram {
        do {
            return try PipedProgram(path: path, arguments: arguments, reading: file)
        } catch {
            throw CaptureWorker.Failure.notStarted(error)
        }
    }
}

import Glibc
import StuffBucket

/// The path of `sbfs-worker`: beside this program, or in ../libexec/sbfs.
enum WorkerProgram {
    /// A worker, which its first order starts.
    static func worker() throws -> CaptureWorker { try CaptureWorker(path: try path()) }

    /// Replaces this process by the worker.
    static func become(_ words: [String]) throws { Program.become([try path()] + words) }

    static func path() throws -> String {
        guard let own = RunningProgram.path else {
            throw CommandFailure(
                .failed,
                "sbfs-worker, the part that fetches and reads pages, cannot be found: the place of sbfs "
                    + "is unknown without /proc; start sbfs by its full path")
        }
        let folder = own.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(own[..<$0]) } ?? "."
        let places = [folder + "/sbfs-worker", folder + "/../libexec/sbfs/sbfs-worker"]
        for place in places where access(place, X_OK) == 0 { return place }
        throw CommandFailure(
            .failed,
            "sbfs-worker, the part that fetches and reads pages, is not beside sbfs (\(folder)); install sbfs again with "
                + "Scripts/install")
    }
}

internal import Files

extension WriteSession {
    /// Whether a program has a file open for writing, as far as this machine can tell.
    func isWritten(_ name: FileName, in folder: borrowing Directory) -> Bool {
        guard let file = try? folder.file(named: name), let status = try? file.status() else { return false }
        switch file.writerLook() {
        case .written: return !folder.isOnNetwork
        case .free: return false
        case .unknown: return OpenWriters(of: [status.identity]).written.contains(status.identity)
        }
    }
}

internal import Files

/// `.sbfs/reserve`: a file of 1 MiB that `trash` and `purge` give free before they begin, so that a full disk does not stop the
/// very commands that make room. The next opening that may write makes it again, if there is room.
extension DeviceFolder {
    func keepReserve() {
        guard (try? directory.statusOfKnownPath(Layout.reserve)) == .some(nil) else { return }
        guard let file = try? directory.createFile(Layout.reserve, permissions: 0o600) else { return }
        // An empty one would reserve nothing, and keep the next opening from making it.
        if (try? file.allocate(Layout.reserveByteCount)) == nil { try? directory.removeFile(Layout.reserve) }
    }
}

extension WriteSession {
    /// Gives the reserve free.
    package func releaseReserve() { try? device?.directory.removeFile(Layout.reserve) }
}

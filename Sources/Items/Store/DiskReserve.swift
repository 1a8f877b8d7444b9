internal import Files

/// `.sbfs/reserve`: a file of 1 MiB that `trash` and `purge` release before they begin, so that these commands, which
/// make room, work on a full disk. The next opening that may write makes it again if there is room.
extension DeviceFolder {
    func keepReserve() {
        guard directory.isKnownAbsent(Layout.reserve) else { return }
        guard let file = try? directory.createFile(Layout.reserve, permissions: 0o600) else { return }
        // An empty file would reserve nothing and keep the next opening from making a new one.
        if (try? file.allocate(Layout.reserveByteCount)) == nil { try? directory.removeFile(Layout.reserve) }
    }
}

extension WriteSession {
    /// Releases the reserve.
    package func releaseReserve() { try? device?.directory.removeFile(Layout.reserve) }
}

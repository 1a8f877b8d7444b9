internal import Files
internal import Glibc
internal import Items

/// The socket of the program that watches a library: where it is, and how another program asks there.
struct WatchSocket {
    /// The full path.
    let path: String

    /// - Parameter runtime: the person's folder for sockets; `nil` for the usual one.
    /// - Returns: `nil` if the person has no folder for sockets.
    init?(for store: ItemStore, runtime: String? = usualFolder) {
        guard let runtime, let name = try? IndexPlace.name(of: store) else { return nil }
        path = runtime + "/sbfs/" + name + ".socket"
    }

    init(path: String) { self.path = path }

    /// `$XDG_RUNTIME_DIR` (XDG Base Directory Specification), or `/run/user/<uid>`. A container, or a session that no login manager
    /// made, has neither: then it is the person's folder for caches.
    static var usualFolder: String? {
        if let folder = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), folder.hasPrefix("/") { return folder }
        let folder = "/run/user/\(geteuid())"
        return access(folder, W_OK) == 0 ? folder : IndexPlace.usualCaches
    }

    /// Makes the socket's folder, for the person alone.
    func makeFolder() throws(FileError) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return }
        let folder = String(path[..<slash])
        try Directory.make(path: folder, permissions: 0o700)
        try Directory(path: folder).makePrivate()
    }

    // MARK: Asking

    /// How long a command waits for an answer before it compares the files itself.
    static let patience = Duration.milliseconds(50)

    /// What a watching program says about the index.
    enum Answer {
        /// It has all changes that were made before.
        case current
        /// It may be behind, for want of watches or events.
        case behind
        /// Nothing, in time.
        case silence
        /// There is no such program.
        case nobody
    }

    /// Has the watching program bring the index up to date.
    func catchUp() -> Answer {
        guard let connection = connect(.catchUp) else { return .nobody }
        guard let line = connection.line(within: Self.patience) else { return .silence }
        return line == WatchReply.current ? .current : .behind
    }

    /// The status of the watching program; `nil` if there is none.
    func status() -> WatchStatus? {
        connect(.status)?.line(within: .seconds(2)).flatMap { WatchStatus(json: $0) }
    }

    /// The changes from now on; `nil` if no watching program tells them.
    func changes() -> LocalLines? {
        guard let connection = LocalConnection(path: path), connection.isOwn,
            connection.send(Array((WatchRequest.changes + "\n").utf8))
        else { return nil }
        var lines = LocalLines(connection)
        // A program that is just starting answers when it follows all files.
        guard case .line(WatchReply.following) = lines.next(within: .seconds(2)) else { return nil }
        return lines
    }

    private func connect(_ request: WatchRequest) -> LocalConnection? {
        guard let connection = LocalConnection(path: path), connection.isOwn,
            connection.send(Array((request.rawValue + "\n").utf8))
        else { return nil }
        return connection
    }
}

extension Library {
    /// The path of the socket on which other programs ask this library's watch; `nil` if the person has no folder for sockets. Its
    /// folder is made.
    ///
    /// - Throws: `FileError` if the folder of the sockets cannot be made.
    public func watchSocketPath() throws -> String? {
        guard let socket = WatchSocket(for: store) else { return nil }
        try socket.makeFolder()
        return socket.path
    }

    /// The status of the program that watches this library, in this process or another one; `nil` if none does.
    public func watchStatus() -> WatchStatus? {
        if let watch = index?.watch.withLock({ $0 }), watch.status.phase != .ended { return watch.status }
        return WatchSocket(for: store)?.status()
    }

    /// The process that holds the library's lock of watching; `nil` if none does. If ``watchStatus()`` is `nil` too, it
    /// does not answer: it begins, is busy, or was stopped by a signal.
    public var watchingProcess: Int32? { index?.place.watchingProcess }
}

internal import Files
internal import JSONFormat

/// Sends the changes of a watch to another program, in a thread of its own: a program that reads slowly holds up nothing, and misses
/// nothing (`ChangeBuffer`).
enum ChangeStream {
    /// Programs that follow at once. Further ones watch the files themselves.
    private static let limit = 64
    /// A program that reads nothing for so long is given up.
    private static let patience = Duration.seconds(600)

    static func start(_ connection: LocalConnection, _ hub: ChangeHub) {
        if hub.followerCount >= limit { return }
        try? BackgroundThread.start { try? run(connection, hub) }
    }

    private static func run(_ connection: LocalConnection, _ hub: ChangeHub) throws(FileError) {
        let arrival = try Waker()
        let buffer = hub.join { arrival.wake() }
        defer { _ = hub.leave(buffer) }
        if !connection.send(WatchReply.following + [0x0A]) { return }
        while true {
            arrival.clear()
            let (changes, end) = buffer.takeNow()
            if changes.isEmpty, end != nil { return }
            for change in changes where !connection.send(change.line, within: patience) { return }
            if !changes.isEmpty { continue }
            let ready = WaitForInput.on([arrival.number, connection.number], timeout: nil)
            // The other side only listens: what it sends is its end.
            if ready[1] { return }
        }
    }
}

extension LibraryChange {
    /// One line of JSON with its end.
    var line: [UInt8] {
        var writer = JSONWriter(.oneLine)
        writer.write(json)
        return writer.bytes + [0x0A]
    }
}

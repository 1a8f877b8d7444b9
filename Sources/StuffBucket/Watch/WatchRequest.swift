internal import JSONFormat

/// What a program asks a watch on its socket: one line, and one line as the answer.
enum WatchRequest: String {
    /// Whether the index has everything that was changed before; it is brought up to date first.
    case catchUp = "catch-up"
    case status

    /// The word for all changes from now on: the answer is `following`, and one line for each change.
    static let changes = "changes"
}

/// The answer to a request.
enum WatchReply {
    case isCurrent(Bool)
    case status(WatchStatus)

    /// One line.
    var line: [UInt8] {
        switch self {
        case .isCurrent(let isCurrent): Array((isCurrent ? "current\n" : "behind\n").utf8)
        case .status(let status): Self.line(status.json)
        }
    }

    private static func line(_ value: JSON) -> [UInt8] {
        var writer = JSONWriter(.oneLine)
        writer.write(value)
        return writer.bytes + [0x0A]
    }

    static let current = Array("current".utf8)
    static let following = Array("following".utf8)
}

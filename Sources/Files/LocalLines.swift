/// The lines that arrive on a connection, one after the other.
package struct LocalLines {
    private let connection: LocalConnection
    private var rest: [UInt8] = []
    /// Bytes of `rest` in which there is no line end.
    private var searched = 0

    package init(_ connection: LocalConnection) { self.connection = connection }

    package enum Next: Equatable {
        /// Without its end.
        case line([UInt8])
        /// None came in time.
        case late
        /// The other side is gone, or its line is too long.
        case ended
    }

    /// Waits for the next line.
    ///
    /// - Parameter time: the longest time; `nil` for any.
    package mutating func next(within time: Duration?) -> Next {
        let deadline = time.map { ContinuousClock.now + $0 }
        while true {
            if let end = rest[searched...].firstIndex(of: 0x0A) {
                let line = Array(rest[..<end])
                rest.removeFirst(end + 1)
                searched = 0
                return .line(line)
            }
            searched = rest.count
            if rest.count > LocalConnection.lineLimit { return .ended }
            let left = deadline.map { $0 - .now }
            if let left, left <= .zero { return .late }
            if WaitForInput.on([connection.number], timeout: left) != [true] { return .late }
            switch connection.receive() {
            case .bytes(let bytes): rest += bytes
            case .nothing: break
            case .ended: return .ended
            }
        }
    }
}

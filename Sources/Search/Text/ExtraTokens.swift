/// Makes the extra tokens that belong to a plain one: FORMAT.md, "Text analysis".
struct ExtraTokens: ~Copyable {
    /// Whether something that was begun at an earlier token may end at this one.
    private(set) var isJoining = false

    mutating func begin() { isJoining = false }

    @inline(__always)
    static func mayFollow(_ text: UnsafePointer<UInt8>, _ start: Int, _ stop: Int, _ end: Int) -> Bool { false }
    @inline(__always)
    static func mayFollow(_ place: TokenPlace) -> Bool { false }

    mutating func add<Sink: TokenSink>(
        to token: UnsafeMutablePointer<UInt8>, _ place: TokenPlace, _ sink: inout Sink
    ) {}
}

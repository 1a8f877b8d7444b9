/// The lines of a file, one after the other; only a few are in memory.
struct InputLines {
    private var window: InputWindow
    private var at = 0
    /// The number of the last line returned, from 1.
    private(set) var number = 0

    init(_ input: ImportInput, from start: Int = 0) throws { window = try InputWindow(input, from: start) }

    /// The next line without its line feed; `nil` at the end.
    mutating func next() throws -> [UInt8]? {
        while true {
            if let end = window.bytes[at...].firstIndex(of: 0x0A) {
                defer { at = end + 1 }
                number += 1
                return Array(window.bytes[at..<end])
            }
            if window.isAtEnd {
                guard at < window.bytes.count else { return nil }
                defer { at = window.bytes.count }
                number += 1
                return Array(window.bytes[at...])
            }
            try window.move(by: at)
            at = 0
        }
    }
}

internal import Glibc

/// Line numbers of rising offsets, in one pass over the text.
struct LineCounter {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0
    private var line = 1

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The line of an offset, from 1; an offset before the previous one gets the previous line.
    mutating func line(of wanted: Int) -> Int {
        guard let base = bytes.baseAddress else { return line }
        let wanted = min(wanted, bytes.count)
        while place < wanted, let found = memchr(base + place, 0x0A, wanted - place) {
            line += 1
            place = UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
        }
        place = max(place, wanted)
        return line
    }
}

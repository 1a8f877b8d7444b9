/// Lines between conflict markers, as git writes them into a file that it cannot merge.
struct MarkerBlock {
    /// The number of the first line, from 1.
    let line: Int
    /// From the first marker to the last one, without the last line end.
    let bytes: ArraySlice<UInt8>
    /// The lines of our side, without their ends.
    let ours: [ArraySlice<UInt8>]

    /// All lines, the markers too.
    var lines: [ArraySlice<UInt8>] { Self.lines(bytes) }

    /// The lines of some bytes, without their ends.
    static func lines(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { $0.last == 0x0D ? $0.dropLast() : $0 }
    }

    /// The least length of a marker. git lengthens those that it writes into each other, and an attribute may.
    private static let length = 7

    /// All complete blocks of a file. One that begins within another takes its place. Linear in the bytes.
    static func all(in bytes: [UInt8]) -> [MarkerBlock] {
        var blocks: [MarkerBlock] = []
        var open: (line: Int, start: Int, length: Int, ours: [ArraySlice<UInt8>], isOurs: Bool, isParted: Bool)?
        var number = 0, start = 0
        while start < bytes.count {
            let next = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            defer { start = next + 1 }
            number += 1
            var line = bytes[start..<next]
            if line.last == 0x0D { line.removeLast() }
            if let length = marker(UInt8(ascii: "<"), line) {
                open = (number, start, length, [], true, false)
                continue
            }
            guard var block = open else { continue }
            if marker(UInt8(ascii: "|"), line) == block.length {
                block.isOurs = false
            } else if marker(UInt8(ascii: "="), line) == block.length {
                block.isOurs = false
                block.isParted = true
            } else if block.isParted, marker(UInt8(ascii: ">"), line) == block.length {
                let whole = bytes[block.start..<line.endIndex]
                blocks.append(MarkerBlock(line: block.line, bytes: whole, ours: block.ours))
                open = nil
                continue
            } else if block.isOurs {
                block.ours.append(line)
            }
            open = block
        }
        return blocks
    }

    /// The length of the marker that begins a line, with a label or alone; `nil` without one.
    private static func marker(_ mark: UInt8, _ line: ArraySlice<UInt8>) -> Int? {
        let rest = line.drop { $0 == mark }
        let length = line.count - rest.count
        return length >= Self.length && rest.first.map({ $0 == 0x20 }) ?? true ? length : nil
    }
}

internal import Glibc
internal import HTML

/// Text of a page with its character references replaced.
enum TextDecoding {
    static func append(_ source: UnsafeBufferPointer<UInt8>, to output: inout [UInt8], inAttribute: Bool) {
        guard let base = source.baseAddress else { return }
        let kind: CharacterReferences.Place = inAttribute ? .attribute : .text
        var place = 0
        while place < source.count {
            guard let found = memchr(base + place, 0x26, source.count - place) else { break }
            let at = UnsafeRawPointer(base).distance(to: found)
            output.append(contentsOf: source[place..<at])
            if let reference = CharacterReferences.reference(in: source, at: at, kind) {
                withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 8) { buffer in
                    guard let start = buffer.baseAddress else { return }
                    let count = reference.write(to: start)
                    output.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<count]))
                }
                place = at + reference.byteCount
            } else {
                output.append(0x26)
                place = at + 1
            }
        }
        if place < source.count { output.append(contentsOf: source[place...]) }
    }
}

/// One LZ4 block (lz4_Block_format.md), as in Firefox's backups: `mozLz40`, a zero byte, the size of the text as 32
/// bits (little-endian), and the block.
enum LZ4Block {
    static let mark = Array("mozLz40\0".utf8)

    /// The largest growth of a block; a file that claims more is damaged.
    private static let ratioLimit = 256
    static let sizeLimit = 1 << 30

    /// The text of a whole file.
    ///
    /// - Returns: the text read, and where and why reading ended early.
    /// - Throws: `ImportError` if the first bytes are not those of such a file.
    static func unpackedFile(_ bytes: [UInt8]) throws(ImportError) -> (text: [UInt8], fault: ImportFault?) {
        guard bytes.count >= 12, bytes.starts(with: mark) else { throw ImportError(.endsWithinHead) }
        let size = (0..<4).reduce(0) { $0 | Int(bytes[8 + $1]) << ($1 * 8) }
        guard size <= sizeLimit, size <= (bytes.count - 12) * ratioLimit + 64 else {
            throw ImportError(.impossibleSize(size))
        }
        let (text, fault) = unpacked(bytes[12...], size: size)
        return (text, fault.map { ImportFault(.offset($0.offset), .packedText($0.damage)) })
    }

    /// - Parameter size: the number of unpacked bytes, which is never exceeded.
    static func unpacked(
        _ block: ArraySlice<UInt8>, size: Int
    ) -> (text: [UInt8], fault: (offset: Int, damage: ImportFault.PackedTextDamage)?) {
        var text: [UInt8] = []
        text.reserveCapacity(size)
        var at = block.startIndex
        /// Adds bytes of 255 to a length of 15 until one is less; `nil` at the end of the block.
        func length(_ nibble: Int) -> Int? {
            var length = nibble
            if nibble < 15 { return length }
            while at < block.endIndex {
                let byte = block[at]
                at += 1
                length += Int(byte)
                if byte < 255 { return length }
                if length > size { return length }
            }
            return nil
        }
        while at < block.endIndex {
            let token = block[at]
            at += 1
            guard let literals = length(Int(token >> 4)), literals <= block.endIndex - at else {
                // The available part of the literals is text all the same.
                let rest = block[at...].prefix(max(0, size - text.count))
                text += rest
                return (text, (block.endIndex, .cutOff))
            }
            if literals > size - text.count { return (text, (at, .longerThanStated)) }
            text += block[at..<at + literals]
            at += literals
            if at == block.endIndex { break }
            guard block.endIndex - at >= 2 else { return (text, (at, .cutOff)) }
            let distance = Int(block[at]) | Int(block[at + 1]) << 8
            at += 2
            guard distance > 0, distance <= text.count else {
                return (text, (at - 2, .badReference))
            }
            guard let extra = length(Int(token & 15)) else { return (text, (at, .cutOff)) }
            let count = extra + 4
            if count > size - text.count { return (text, (at, .longerThanStated)) }
            let from = text.count - distance
            if distance >= count {
                text += text[from..<from + count]
            } else {
                for index in 0..<count { text.append(text[from + index]) }
            }
        }
        return (text, text.count < size ? (at, .shorterThanStated) : nil)
    }
}

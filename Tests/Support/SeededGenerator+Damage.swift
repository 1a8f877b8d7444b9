extension SeededGenerator {
    /// A sample with one to six changes: a byte, a bit, bytes removed, a piece inserted, or a part repeated.
    package mutating func damaged(_ sample: [UInt8], pieces: [[UInt8]]) -> [UInt8] {
        var bytes = sample
        for _ in 0..<Int.random(in: 1...6, using: &self) {
            let at = Int.random(in: 0...bytes.count, using: &self)
            switch Int.random(in: 0..<5, using: &self) {
            case 0 where at < bytes.count: bytes[at] = UInt8.random(in: 0...255, using: &self)
            case 1 where at < bytes.count: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 2: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 0...40, using: &self)))
            case 3: bytes.insert(contentsOf: pieces.randomElement(using: &self) ?? [], at: at)
            default:
                let from = Int.random(in: 0...bytes.count, using: &self)
                bytes.insert(contentsOf: Array(bytes[from..<min(bytes.count, from + 30)]), at: at)
            }
        }
        return bytes
    }
}

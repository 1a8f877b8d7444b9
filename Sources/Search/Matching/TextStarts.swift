/// The positions in the text of one document at which a phrase may start.
struct TextStarts: ~Copyable {
    /// Above the positions by `moved`, so that a start before the text keeps its order.
    private var starts = PositionBuffer()
    /// Some of the starts that the positions of another word would give; the last one is repeated up to a multiple of 16.
    private let window = UnsafeMutablePointer<UInt32>.allocate(capacity: windowCount)
    private(set) var count = 0

    private static let moved: UInt32 = 1 << 16
    private static let windowCount = 64

    deinit { window.deallocate() }

    /// Begins with all positions of a word.
    ///
    /// - Parameters:
    ///   - run: the distances between them in the block.
    ///   - distance: that of the word from the first one of the phrase.
    @inline(__always)
    mutating func read(_ run: Range<Int>, of block: inout PostingBlock, distance: UInt32) {
        count = run.count
        starts.resize(count)
        block.readText(run.lowerBound, count, into: starts.base)
        _ = Self.addUp(starts.base, count, from: Self.moved &- distance)
    }

    /// Keeps the starts at which another word has the right distance.
    ///
    /// - Parameter needed: it ends when so many can no longer be found.
    @inline(__always)
    mutating func keep(
        followedBy block: inout PostingBlock, _ run: Range<Int>, distance: UInt32, atLeast needed: Int
    ) {
        let starts = starts.base
        let total = count
        let least = max(1, needed)
        var (next, kept) = (0, 0)
        var last = Self.moved &- distance
        var at = run.lowerBound
        while at < run.upperBound, kept &+ total &- next >= least, next < total {
            let size = min(Self.windowCount, run.upperBound &- at)
            block.readText(at, size, into: window)
            at &+= size
            last = Self.addUp(window, size, from: last)
            let end = (size &+ 15) & ~15
            for place in size..<end { window[place] = last }
            var group = 0
            while next < total, starts[next] <= last {
                let start = starts[next]
                while window[group &+ 15] < start, group &+ 16 < end { group &+= 16 }
                starts[kept] = start
                kept &+= has(start, group) ? 1 : 0
                next &+= 1
            }
        }
        count = kept
    }

    /// Whether one of 16 numbers of the window is `start`.
    @inline(__always)
    private func has(_ start: UInt32, _ group: Int) -> Bool {
        let wanted = SIMD4(repeating: start)
        let rows = UnsafeRawPointer(window + group)
        // Zero where they are equal.
        let a = rows.loadUnaligned(as: SIMD4<UInt32>.self) .== wanted
        let b = rows.loadUnaligned(fromByteOffset: 16, as: SIMD4<UInt32>.self) .== wanted
        let c = rows.loadUnaligned(fromByteOffset: 32, as: SIMD4<UInt32>.self) .== wanted
        let d = rows.loadUnaligned(fromByteOffset: 48, as: SIMD4<UInt32>.self) .== wanted
        return any((a .| b) .| (c .| d))
    }

    /// Turns distances into positions.
    ///
    /// - Returns: the last one.
    @inline(__always)
    private static func addUp(_ values: UnsafeMutablePointer<UInt32>, _ count: Int, from base: UInt32) -> UInt32 {
        var position = base
        for place in 0..<count {
            position &+= values[place]
            values[place] = position
        }
        return position
    }
}

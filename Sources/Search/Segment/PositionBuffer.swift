/// Positions of one term in one document, with room for three more.
struct PositionBuffer: ~Copyable {
    private(set) var base = UnsafeMutablePointer<UInt32>.allocate(capacity: 256 + 3)
    private var capacity = 256
    private(set) var count = 0

    deinit { base.deallocate() }

    mutating func resize(_ newCount: Int) {
        count = newCount
        if newCount <= capacity { return }
        base.deallocate()
        capacity = max(newCount, capacity * 2)
        base = .allocate(capacity: capacity + 3)
    }

    /// Turns distances into positions, field by field.
    mutating func addUp(_ frequencies: Frequencies) {
        let titleEnd = Int(frequencies.title)
        let tagsEnd = titleEnd + Int(frequencies.tags)
        addUp(0, titleEnd)
        addUp(titleEnd, tagsEnd)
        addUp(tagsEnd, count)
    }

    @inline(__always)
    private func addUp(_ from: Int, _ to: Int) {
        var position: UInt32 = 0
        for place in from..<to {
            position &+= base[place]
            base[place] = position
        }
    }
}

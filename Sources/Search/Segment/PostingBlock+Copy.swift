extension PostingBlock {
    /// Passes the block's postings and all distances of their positions to a part.
    ///
    /// - Parameter renumbered: the new number of a document, or `nil` to drop the posting.
    /// - Returns: false if the bytes are damaged.
    @inline(__always)
    mutating func copy(
        _ list: PostingList, _ block: Int, to part: inout SegmentPart, _ scratch: inout PositionBuffer,
        _ renumbered: (UInt32) -> UInt32?
    ) -> Bool {
        if list.detail > .documents, !readFrequencies(list) { return false }
        if list.detail == .documents {
            for index in 0..<count {
                if let new = renumbered(documents[index]) { part.add(new, text: 1, title: 0, tags: 0) }
            }
            return true
        }
        var fields = ByteReader(documents, 0)
        var isLoose = false
        if list.detail == .positions {
            readPositionStarts()
            guard let start = list.positionStart(block) else { return false }
            fields = ByteReader(start, list.positionsEnd - start)
            isLoose = block >= list.fullBlocks && count < PostingsEncoder.looseCount
            for index in 0..<count where codes[index] > Self.frequencyLimit { return false }
            if isLoose {
                if Int(positionStarts[count]) + fieldPositions(before: count) > list.positionsEnd - start {
                    return false
                }
            } else {
                let fieldBytes = Int(fields.varint())
                let total = Int(positionStarts[count])
                if fieldBytes > list.positionsEnd - fields.at || fieldPositions(before: count) > fieldBytes {
                    return false
                }
                guard let packed = PackedArray(fields.at + fieldBytes, list.positionsEnd, count: total) else {
                    return false
                }
                scratch.resize(total)
                packed.read(0, total, into: scratch.base)
            }
        }
        var field = 0
        for index in 0..<count {
            var frequencies = Frequencies(text: codes[index] &+ 1, title: 0, tags: 0)
            if field < fieldCount, fieldIndices[field] == UInt8(index) {
                if fieldOnly[field] { frequencies.text = 0 }
                frequencies.title = titles[field]
                frequencies.tags = tags[field]
                frequencies.rest = rests[field]
                field += 1
            }
            let new = renumbered(documents[index])
            if list.detail == .positions {
                for _ in 0..<(frequencies.title + frequencies.tags) {
                    let delta = fields.varint()
                    if new != nil { part.encoder.addFieldDelta(delta) }
                }
                if isLoose {
                    for _ in 0..<frequencies.text {
                        let delta = fields.varint()
                        if new != nil { part.encoder.addTextDelta(delta) }
                    }
                } else if new != nil, frequencies.text > 0 {
                    part.encoder.textDeltas(Int(frequencies.text)).update(
                        from: scratch.base + Int(positionStarts[index]), count: Int(frequencies.text))
                }
            }
            if let new {
                part.add(
                    new, text: frequencies.text, title: frequencies.title, tags: frequencies.tags,
                    rest: frequencies.rest)
            }
        }
        return true
    }
}

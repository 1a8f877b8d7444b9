extension PostingBlock {
    /// Computes x of all postings of the block; the frequencies must have been read.
    @inline(__always)
    func computeValues(_ norms: LengthNorms, into values: UnsafeMutablePointer<Float>) {
        let (documents, codes, count) = (documents, codes, count)
        for place in 0..<count {
            values[place] = norms.text(Float(Int32(bitPattern: codes[place] &+ 1)), documents[place])
        }
        addFields(norms, into: values)
    }

    /// Adds title and tags to the x of postings that already has the text's part, and weighs the rest of the page less.
    @inline(__always)
    func addFields(_ norms: LengthNorms, into values: UnsafeMutablePointer<Float>) {
        for field in 0..<fieldCount {
            let place = Int(fieldIndices[field])
            if fieldOnly[field] { values[place] = 0 }
            if rests[field] != 0 {
                values[place] = norms.text(codes[place] &+ 1, rest: rests[field], documents[place])
            }
            values[place] += norms.fields(Float(titles[field]), Float(tags[field]), documents[place])
        }
    }
}

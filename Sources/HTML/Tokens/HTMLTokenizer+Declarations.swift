/// Comments, document types, CDATA sections and processing instructions.
extension HTMLTokenizer {
    mutating func readBogusComment(_ from: Int) {
        kind = .comment
        innerStart = from
        innerEnd = find(0x3E, from: from) ?? bytes.count
        end = min(innerEnd + 1, bytes.count)
    }

    mutating func readInstruction() {
        kind = .processingInstruction
        innerStart = start + 2
        var place = innerStart
        while let found = find(0x3E, from: place) {
            if found > innerStart, bytes[found - 1] == 0x3F {
                innerEnd = found - 1
                end = found + 1
                return
            }
            place = found + 1
        }
        innerEnd = bytes.count
        end = bytes.count
    }

    mutating func readDeclaration() {
        let place = start + 2
        if bytes.matches("--", at: place) { return readComment(place + 2) }
        if bytes.matches("doctype", at: place) { return readDoctype() }
        if isXML || foreign.isForeign, bytes.matches("[cdata[", at: place),
            bytes[(place + 1)..<(place + 6)].elementsEqual("CDATA".utf8)
        {
            kind = .cdata
            innerStart = place + 7
            var place = innerStart
            while let found = find(0x3E, from: place) {
                if found >= innerStart + 2, bytes[found - 1] == 0x5D, bytes[found - 2] == 0x5D {
                    innerEnd = found - 2
                    end = found + 1
                    return
                }
                place = found + 1
            }
            innerEnd = bytes.count
            end = bytes.count
            return
        }
        readBogusComment(place)
    }

    /// Comments end at `-->`, in HTML also at `--!>`, and at once with `<!-->` and `<!--->`.
    private mutating func readComment(_ from: Int) {
        kind = .comment
        innerStart = from
        if !isXML {
            for text in [">", "->"] as [StaticString] where bytes.matches(text, at: from) {
                innerEnd = from
                end = from + text.utf8CodeUnitCount
                return
            }
        }
        var place = from
        while let found = find(0x3E, from: place) {
            if found >= from + 2, bytes[found - 1] == 0x2D, bytes[found - 2] == 0x2D {
                innerEnd = found - 2
                end = found + 1
                return
            }
            if !isXML, found >= from + 3, bytes[found - 1] == 0x21, bytes[found - 2] == 0x2D, bytes[found - 3] == 0x2D {
                innerEnd = found - 3
                end = found + 1
                return
            }
            place = found + 1
        }
        end = bytes.count
        innerEnd = end
        if isXML { return }
        // An incomplete end mark at the end of the source is not text of the comment.
        for text in ["--!", "--", "-"] as [StaticString]
        where end - from >= text.utf8CodeUnitCount && bytes.matches(text, at: end - text.utf8CodeUnitCount) {
            innerEnd = end - text.utf8CodeUnitCount
            return
        }
    }

    /// In HTML the next `>` ends it. In XML the `>` must be outside quotes and outside the internal subset.
    private mutating func readDoctype() {
        kind = .doctype
        innerStart = start + 9
        if !isXML {
            innerEnd = find(0x3E, from: innerStart) ?? bytes.count
            end = min(innerEnd + 1, bytes.count)
            return
        }
        var quote: UInt8 = 0
        var isInSubset = false
        var place = innerStart
        while place < bytes.count {
            let byte = bytes[place]
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == 0x22 || byte == 0x27 {
                quote = byte
            } else if byte == 0x5B {
                isInSubset = true
            } else if byte == 0x5D {
                isInSubset = false
            } else if isInSubset, byte == 0x3C, bytes.matches("<!--", at: place) {
                // Comments may hold single quotes.
                var close = place + 4
                while close < bytes.count, !bytes.matches("-->", at: close) { close += 1 }
                place = close + 2
            } else if byte == 0x3E, !isInSubset {
                innerEnd = place
                end = place + 1
                return
            }
            place += 1
        }
        innerEnd = bytes.count
        end = bytes.count
    }
}

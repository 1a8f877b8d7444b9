import Characters

/// The tokenizer of CSS Syntax Level 3 (section 4) as a scanner that emits spans.
///
/// It does not normalise line ends first (section 3.3). Instead it treats carriage return and form feed as line feeds
/// where it matters. Numbers, percentages and dimensions are one kind. Tokens tile the source. Time is linear.
package struct CSSTokenizer {
    package enum Kind: Sendable {
        case space, comment, identifier, function, atKeyword, hash, string, badString
        /// `url(` with an unquoted URL; one with a quoted URL is a function and a string.
        case url, badURL
        case number, delimiter, colon, semicolon, comma, open, close, openCurly, closeCurly, openMark, closeMark, end
    }

    package let bytes: UnsafeBufferPointer<UInt8>
    package private(set) var kind = Kind.space
    package private(set) var start = 0
    package private(set) var end = 0
    /// The name of a function, at-keyword or hash; the content of a string or URL, with its escapes.
    package private(set) var innerStart = 0
    package private(set) var innerEnd = 0

    package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// - Returns: false at the end.
    package mutating func next() -> Bool {
        start = end
        guard start < bytes.count else {
            kind = .end
            return false
        }
        end = start + 1
        innerStart = start
        let byte = bytes[start]
        switch byte {
        case 0x20, 0x0A, 0x09, 0x0D, 0x0C:
            kind = .space
            while end < bytes.count, bytes[end].isHTMLSpace { end += 1 }
        case 0x22, 0x27: readString(byte)
        case 0x23:
            if isNameByte(end) || isEscape(end) {
                innerStart = end
                readName()
                kind = .hash
            } else {
                kind = .delimiter
            }
        case 0x28, 0x5B: kind = .open
        case 0x29, 0x5D: kind = .close
        case 0x7B: kind = .openCurly
        case 0x7D: kind = .closeCurly
        case 0x3A: kind = .colon
        case 0x3B: kind = .semicolon
        case 0x2C: kind = .comma
        case 0x2F where peek(1) == 0x2A: readComment()
        case 0x2B where startsNumber(start): readNumber()
        case 0x2E where startsNumber(start): readNumber()
        case 0x2D:
            if startsNumber(start) {
                readNumber()
            } else if peek(1) == 0x2D, peek(2) == 0x3E {
                kind = .closeMark
                end = start + 3
            } else if startsIdentifier(start) {
                readIdentifierLike()
            } else {
                kind = .delimiter
            }
        case 0x3C where bytes.matches("<!--", at: start):
            kind = .openMark
            end = start + 4
        case 0x40 where startsIdentifier(end):
            innerStart = end
            readName()
            kind = .atKeyword
        case 0x5C where isEscape(start): readIdentifierLike()
        case 0x30...0x39: readNumber()
        default:
            if byte.isLetter || byte == 0x5F || byte >= 0x80 || byte == 0 {
                readIdentifierLike()
            } else {
                kind = .delimiter
            }
        }
        if kind != .string && kind != .url && kind != .function { innerEnd = end }
        return true
    }

    // MARK: Looking

    @inline(__always)
    private func peek(_ distance: Int) -> UInt8? { start + distance < bytes.count ? bytes[start + distance] : nil }

    @inline(__always)
    private func isNameByte(_ place: Int) -> Bool {
        guard place < bytes.count else { return false }
        let byte = bytes[place]
        return byte.isLetter || byte.isDigit || byte == 0x2D || byte == 0x5F || byte >= 0x80 || byte == 0
    }

    @inline(__always)
    private func isNameStart(_ place: Int) -> Bool {
        isNameByte(place) && !bytes[place].isDigit && bytes[place] != 0x2D
    }

    private func isNewline(_ place: Int) -> Bool {
        bytes[place] == 0x0A || bytes[place] == 0x0D || bytes[place] == 0x0C
    }

    /// Section 4.3.8. A backslash at the end of the source counts too.
    private func isEscape(_ place: Int) -> Bool {
        guard place < bytes.count, bytes[place] == 0x5C else { return false }
        return place + 1 >= bytes.count || !isNewline(place + 1)
    }

    /// Section 4.3.9.
    private func startsIdentifier(_ place: Int) -> Bool {
        guard place < bytes.count else { return false }
        if bytes[place] == 0x2D {
            return isNameStart(place + 1) || (place + 1 < bytes.count && bytes[place + 1] == 0x2D)
                || isEscape(place + 1)
        }
        return isNameStart(place) || isEscape(place)
    }

    /// Section 4.3.10.
    private func startsNumber(_ place: Int) -> Bool {
        var place = place
        if bytes[place] == 0x2B || bytes[place] == 0x2D { place += 1 }
        guard place < bytes.count else { return false }
        if bytes[place].isDigit { return true }
        return bytes[place] == 0x2E && place + 1 < bytes.count && bytes[place + 1].isDigit
    }

    // MARK: Reading

    private mutating func readName() {
        while end < bytes.count {
            if isNameByte(end) {
                end += 1
            } else if isEscape(end) {
                skipEscape()
            } else {
                break
            }
        }
    }

    /// Moves past a backslash and what it escapes (section 4.3.7).
    private mutating func skipEscape() {
        end += 1
        guard end < bytes.count else { return }
        guard bytes[end].isHexadecimal else {
            end += 1
            return
        }
        var count = 0
        while end < bytes.count, count < 6, bytes[end].isHexadecimal {
            end += 1
            count += 1
        }
        if end < bytes.count, bytes[end].isHTMLSpace {
            end += bytes[end] == 0x0D && end + 1 < bytes.count && bytes[end + 1] == 0x0A ? 2 : 1
        }
    }

    private mutating func readNumber() {
        kind = .number
        func digits(_ bytes: UnsafeBufferPointer<UInt8>, _ end: inout Int) {
            while end < bytes.count, bytes[end].isDigit { end += 1 }
        }
        digits(bytes, &end)
        if bytes[end - 1] != 0x2E, end + 1 < bytes.count, bytes[end] == 0x2E, bytes[end + 1].isDigit {
            end += 1
            digits(bytes, &end)
        }
        if end < bytes.count, bytes[end] | 0x20 == 0x65 {
            var place = end + 1
            if place < bytes.count, bytes[place] == 0x2B || bytes[place] == 0x2D { place += 1 }
            if place < bytes.count, bytes[place].isDigit {
                end = place
                digits(bytes, &end)
            }
        }
        if startsIdentifier(end) {
            readName()
        } else if end < bytes.count, bytes[end] == 0x25 {
            end += 1
        }
    }

    private mutating func readString(_ quote: UInt8) {
        kind = .string
        innerStart = end
        while end < bytes.count {
            let byte = bytes[end]
            if byte == quote {
                innerEnd = end
                end += 1
                return
            }
            if byte == 0x5C {
                end += 1
                guard end < bytes.count else { break }
                end += bytes[end] == 0x0D && end + 1 < bytes.count && bytes[end + 1] == 0x0A ? 2 : 1
                continue
            }
            if isNewline(end) {
                kind = .badString
                return
            }
            end += 1
        }
        innerEnd = end
    }

    private mutating func readComment() {
        kind = .comment
        end = start + 2
        while end < bytes.count {
            if bytes[end] == 0x2A, end + 1 < bytes.count, bytes[end + 1] == 0x2F {
                end += 2
                return
            }
            end += 1
        }
    }

    /// Section 4.3.4.
    private mutating func readIdentifierLike() {
        end = start
        readName()
        guard end < bytes.count, bytes[end] == 0x28 else {
            kind = .identifier
            return
        }
        innerEnd = end
        end += 1
        kind = .function
        guard CSSText.equals("url", bytes, innerStart, innerEnd) else { return }
        var place = end
        while place < bytes.count, bytes[place].isHTMLSpace { place += 1 }
        if place < bytes.count, bytes[place] == 0x22 || bytes[place] == 0x27 { return }
        end = place
        readURL()
    }

    /// Section 4.3.6.
    private mutating func readURL() {
        kind = .url
        innerStart = end
        while end < bytes.count {
            let byte = bytes[end]
            if byte == 0x29 {
                innerEnd = end
                end += 1
                return
            }
            if byte.isHTMLSpace {
                innerEnd = end
                while end < bytes.count, bytes[end].isHTMLSpace { end += 1 }
                if end >= bytes.count { return }
                if bytes[end] == 0x29 {
                    end += 1
                    return
                }
                return readBadURL()
            }
            if byte == 0x22 || byte == 0x27 || byte == 0x28 || byte < 0x20 && byte != 0 || byte == 0x7F {
                return readBadURL()
            }
            if byte == 0x5C {
                if !isEscape(end) { return readBadURL() }
                skipEscape()
            } else {
                end += 1
            }
        }
        innerEnd = end
    }

    /// Section 4.3.14.
    private mutating func readBadURL() {
        kind = .badURL
        while end < bytes.count {
            if bytes[end] == 0x29 {
                end += 1
                return
            }
            if isEscape(end) { skipEscape() } else { end += 1 }
        }
    }
}

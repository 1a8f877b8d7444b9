import Characters
internal import Glibc

/// Where raw text ends: at an end tag of its own element (HTML Standard, sections 13.2.5.9 to 13.2.5.14).
enum RawText {
    /// - Returns: where the end tag begins, or the source's end.
    static func end(of element: HTMLElement, _ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard let base = bytes.baseAddress else { return start }
        var place = start
        while place < bytes.count, let found = memchr(base + place, 0x3C, bytes.count - place) {
            place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if place + 1 < bytes.count, bytes[place + 1] == 0x2F, isEndTag(of: element, bytes, at: place + 2) {
                return place
            }
            place += 1
        }
        return bytes.count
    }

    /// Whether the element's name is at a place, followed by a byte that ends a name.
    static func isEndTag(of element: HTMLElement, _ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
        var nameEnd = place
        // No name of a raw text element is longer than `plaintext`.
        while nameEnd < bytes.count, nameEnd - place <= 16, bytes[nameEnd].isLetter { nameEnd += 1 }
        guard nameEnd < bytes.count else { return false }
        let byte = bytes[nameEnd]
        guard byte == 0x3E || byte == 0x2F || byte.isHTMLSpace else { return false }
        return HTMLElement.of(bytes, place, nameEnd) == element
    }
}

/// Where a script's text ends: `<!--` hides a nested `<script>…</script>` (sections 13.2.5.15 to 13.2.5.31).
enum ScriptText {
    private enum State {
        case plain, escaped, doubleEscaped
    }

    static func end(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var state = State.plain
        var place = start
        // Dashes of the `<!--` itself count towards `-->` only as in the standard's states.
        while place < bytes.count {
            if state == .plain {
                // Outside comments only `<` matters, and most scripts have no comment.
                guard let base = bytes.baseAddress, let found = memchr(base + place, 0x3C, bytes.count - place) else {
                    break
                }
                place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            }
            let byte = bytes[place]
            if byte == 0x3C {
                if state == .plain, bytes.matches("<!--", at: place) {
                    state = .escaped
                    // `<!-->` and `<!--->` end the comment at once: their dashes count.
                    place += 2
                    continue
                }
                if place + 1 < bytes.count, bytes[place + 1] == 0x2F {
                    if RawText.isEndTag(of: .script, bytes, at: place + 2) {
                        if state != .doubleEscaped { return place }
                        state = .escaped
                    }
                } else if state == .escaped, RawText.isEndTag(of: .script, bytes, at: place + 1) {
                    state = .doubleEscaped
                }
            } else if byte == 0x2D, state != .plain, bytes.matches("-->", at: place) {
                state = .plain
                place += 2
            }
            place += 1
        }
        return bytes.count
    }
}

import Characters

/// Finds the frames of a page, and writes a page with the documents of its frames in their places, as one text.
package enum FrameInlining {
    /// A frame of a page.
    package struct Frame {
        /// The number in `data-sbfs-frame`.
        package let number: Int?
        /// The document in `srcdoc`.
        package let document: [UInt8]?
        /// The reference in `src`; empty for none.
        package let source: [UInt8]
        /// Whether it belongs to a `frameset`.
        package let isPart: Bool
        /// Its names, as the page spells them.
        package let names: [UInt8]
    }

    /// Frames of one page that are looked at.
    package static let limit = 64

    /// The frames of a page in UTF-8.
    package static func frames(of page: [UInt8]) -> [Frame] {
        var found: [Frame] = []
        walk(page) { frame, _ in
            found.append(frame)
            return found.count < limit
        }
        return found
    }

    /// The page with what each frame shows instead of the frame.
    ///
    /// - Parameter content: the body of a frame's document; `nil` if the frame stays as it is.
    package static func page(_ page: [UInt8], content: (Frame) -> [UInt8]?) -> [UInt8] {
        var output: [UInt8] = []
        var copied = 0
        var count = 0
        walk(page) { frame, span in
            count += 1
            if let inner = content(frame) {
                output += page[copied..<span.lowerBound]
                output += "<div>".utf8
                output += inner
                output += "</div>".utf8
                copied = span.upperBound
            }
            return count < limit
        }
        if copied == 0 { return page }
        return output + page[copied...]
    }

    /// What a document shows: its markup without what stands in its head.
    package static func body(of document: [UInt8]) -> [UInt8] {
        document.withUnsafeBufferPointer { bytes in
            var tokens = HTMLTokenizer(bytes, keepsAttributes: false)
            var start = 0
            var end = bytes.count
            while tokens.next() {
                if tokens.kind == .startTag, tokens.element == .body || tokens.element == .frameset, start == 0 {
                    start = tokens.element == .body ? tokens.end : tokens.start
                } else if tokens.kind == .endTag, tokens.element == .head, start == 0 {
                    start = tokens.end
                } else if tokens.kind == .endTag, tokens.element == .body {
                    end = tokens.start
                }
            }
            return Array(bytes[start..<max(start, end)])
        }
    }

    /// The number of bytes of text in a document, without white space.
    package static func textLength(of document: [UInt8]) -> Int {
        document.withUnsafeBufferPointer { bytes in
            var tokens = HTMLTokenizer(bytes, keepsAttributes: false)
            var count = 0
            while tokens.next() {
                if tokens.kind == .text {
                    for byte in bytes[tokens.start..<tokens.end] where byte > 0x20 { count += 1 }
                }
            }
            return count
        }
    }

    /// Calls `visit` with each frame and the span of its tag, until it returns false.
    private static func walk(_ page: [UInt8], _ visit: (Frame, Range<Int>) -> Bool) {
        page.withUnsafeBufferPointer { bytes in
            var tokens = HTMLTokenizer(bytes)
            while tokens.next() {
                guard tokens.kind == .startTag, tokens.element == .iframe || tokens.element == .frame else { continue }
                let names = [AttributeName.id, .class, .name, .title, .src].compactMap(tokens.value(of:))
                let frame = Frame(
                    number: tokens.value(of: .dataFrame).flatMap { Int(String(decoding: $0, as: UTF8.self)) },
                    document: tokens.element == .iframe ? tokens.value(of: .srcdoc) : nil,
                    source: tokens.value(of: .src) ?? [], isPart: tokens.element == .frame,
                    names: Array(names.joined(separator: [0x20])))
                if !visit(frame, tokens.start..<tokens.end) { return }
            }
        }
    }
}

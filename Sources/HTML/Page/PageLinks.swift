package import URLs

/// The links that a reader of a page may follow, in order and each URL once.
package enum PageLinks {
    package struct Link: Sendable, Equatable {
        /// Absolute, with its fragment.
        package let url: WebURL
        /// The visible text with white space collapsed, or the text of an image in it. May be empty.
        package let text: String
    }

    /// Links to fragments of the page itself, and those that are not http, https or mailto, are left out.
    package static func of(_ page: [UInt8], url: WebURL) -> [Link] {
        page.withUnsafeBufferPointer { bytes in
            var tokens = HTMLTokenizer(bytes)
            var reading = Reading(url: url, bytes: bytes)
            while tokens.next() { reading.take(tokens) }
            reading.close()
            return reading.links
        }
    }

    private struct Reading {
        let url: WebURL
        let bytes: UnsafeBufferPointer<UInt8>
        var links: [Link] = []
        private var base: WebURL
        private var seen: Set<String> = []
        /// The link whose text is being read.
        private var open: WebURL?
        private var text: [UInt8] = []
        private var alternative: String?

        init(url: WebURL, bytes: UnsafeBufferPointer<UInt8>) {
            self.url = url
            self.bytes = bytes
            base = url
        }

        mutating func take(_ tokens: HTMLTokenizer) {
            switch tokens.kind {
            case .startTag:
                switch tokens.element {
                case .base:
                    if base == url, let href = value(.href, of: tokens), let new = WebURL(href, base: url) {
                        base = new
                    }
                case .a, .area:
                    close()
                    if let href = value(.href, of: tokens) { open = WebURL(href, base: base) }
                    if tokens.element == .area {
                        alternative = value(.alt, of: tokens)
                        close()
                    }
                case .img where open != nil: alternative = alternative ?? value(.alt, of: tokens)
                default: break
                }
            case .endTag where tokens.element == .a: close()
            case .text where open != nil && text.count < 4096:
                text += CharacterReferences.decoded(
                    UnsafeBufferPointer(rebasing: bytes[tokens.start..<tokens.end]), in: .text)
            default: break
            }
        }

        mutating func close() {
            defer {
                open = nil
                text = []
                alternative = nil
            }
            guard let open, open.isHTTP || open.scheme == "mailto" else { return }
            if open.fragment != nil, open.withoutFragment == url.withoutFragment { return }
            guard seen.insert(open.href).inserted else { return }
            let visible = Self.joined(String(decoding: text, as: UTF8.self))
            links.append(Link(url: open, text: visible.isEmpty ? Self.joined(alternative ?? "") : visible))
        }

        private static func joined(_ text: String) -> String {
            text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }

        private func value(_ name: AttributeName, of tokens: HTMLTokenizer) -> String? {
            tokens.value(of: name).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}

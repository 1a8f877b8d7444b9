internal import Items

/// The visible text of a saved page with that of its frames, which follows the page's own.
enum PageFrames {
    /// Frames in frames that are read.
    private static let depthLimit = 3
    private static let countLimit = 64

    /// - Parameter asset: the bytes of a file in assets/; `nil` if it cannot be read.
    static func text(of page: [UInt8], readingAssets asset: (String) -> [UInt8]?) -> [UInt8] {
        var text = VisibleText.of(page)
        var seen: Set<String> = []
        var left = VisibleText.byteLimit
        var waiting = [(page: page, depth: 0)]
        var next = 0
        while next < waiting.count {
            let (page, depth) = waiting[next]
            next += 1
            for frame in VisibleText.frames(of: page) where waiting.count <= countLimit {
                let document: [UInt8]
                if let inner = frame.document {
                    document = inner
                } else {
                    guard let name = name(of: frame.path), seen.insert(name).inserted, let read = asset(name) else {
                        continue
                    }
                    document = read
                }
                left -= document.count
                if left < 0 { return text }
                text += [0x0A] + VisibleText.of(document)
                if depth + 1 < depthLimit { waiting.append((document, depth + 1)) }
            }
        }
        return text
    }

    /// The name of a frame's document in assets/, as sbfs writes it into page.html or beside itself.
    private static func name(of path: String) -> String? {
        let name = path.hasPrefix("assets/") ? String(path.dropFirst(7)) : path
        let end = name.firstIndex { $0 == "#" || $0 == "?" } ?? name.endIndex
        let file = String(name[..<end])
        guard file.hasSuffix(".html"), !file.utf8.contains(UInt8(ascii: "/")), !file.hasPrefix(".") else { return nil }
        return file
    }
}

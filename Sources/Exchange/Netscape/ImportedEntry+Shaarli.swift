internal import Characters
internal import JSONFormat

extension ImportedEntry {
    /// The link of Shaarli's notes can only be resolved by their own site: `?abc123`, `/shaare/abc123`.
    mutating func readShaarliNote() {
        guard let url, let mark = ["?", "./?", "/?", "/shaare/", "./shaare/"].first(where: url.hasPrefix),
            url.utf8.count <= 100
        else { return }
        let name = url.dropFirst(mark.count)
        guard !name.isEmpty, name.utf8.allSatisfy({ $0.isLetter || $0.isDigit || $0 == 0x2D || $0 == 0x5F }) else {
            return
        }
        self.url = nil
        keep("href", .string(url))
        if let description {
            addText(description)
            self.description = nil
        } else if text == nil, let title {
            text = Array(title.utf8)
        }
        if let created = createdAt { externalID = "shaarli:\(name):\(created.milliseconds / 1000)" }
    }
}

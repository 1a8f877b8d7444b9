internal import Characters
internal import HTML

/// The real type of a resource, from its bytes and its declared type.
struct RealType: Equatable {
    /// `type/subtype` in lower case.
    let essence: String

    init(essence: String) { self.essence = essence }

    /// - Parameter purpose: the purpose of the request.
    init(_ resource: LoadedResource, for purpose: FetchRequest.Purpose) {
        let said = resource.contentType
        switch purpose {
        case .styleSheet:
            // HTML instead of a sheet is an error page; any other text is read as a sheet, as browsers do in quirks
            // mode.
            let claimed = said.flatMap { MIMEType(header: $0) }?.essence
            essence = claimed == "text/html" ? "text/html" : "text/css"
        case .image: essence = ContentSniffing.type(of: resource.body, said: said, for: .image)
        case .font: essence = ContentSniffing.type(of: resource.body, said: said, for: .font)
        case .media: essence = ContentSniffing.type(of: resource.body, said: said, for: .media)
        case .document:
            let found = ContentSniffing.type(of: resource.body, said: said, for: .document)
            essence = found == "text/html" && Self.isBinary(resource) ? "application/octet-stream" : found
        case .track, .other: essence = ContentSniffing.type(of: resource.body, said: said, for: .other)
        }
    }

    /// Whether a claimed page is binary data without a known signature: no markup at its start, and no text, not even
    /// text of two bytes a character.
    private static func isBinary(_ resource: LoadedResource) -> Bool {
        let charset = resource.contentType.flatMap { MIMEType(header: $0) }?.parameter("charset")?.lowercased()
        if let charset, charset.hasPrefix("utf-16") || charset.contains(text: "ucs-2") || charset == "unicode" {
            return false
        }
        return ContentSniffing.unknown(resource.body) == "application/octet-stream"
    }

    var fileExtension: String { FileExtension.of(type: essence) }

    var isImage: Bool { essence.hasPrefix("image/") }
    var isMedia: Bool { essence.hasPrefix("video/") || essence.hasPrefix("audio/") || essence == "application/ogg" }
    var isDrawing: Bool { essence == "image/svg+xml" }
    var isPage: Bool { essence == "text/html" || isXML }
    var isXML: Bool { essence == "application/xhtml+xml" }

    /// Whether the text must be kept until its references are known.
    var mayReferToMore: Bool {
        isPage || isDrawing || essence.hasPrefix("text/") || essence == "application/xml"
            || essence == "application/json"
    }
}

/// What a request tells about its sender: as a browser's does, because servers answer that best, and by name.
enum BrowserFields {
    static let userAgent =
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 StuffBucket/1.0"

    static let languages = "en-US,en;q=0.9,*;q=0.5"

    static func accept(_ purpose: FetchRequest.Purpose) -> String {
        switch purpose {
        case .document: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
        case .styleSheet: "text/css,*/*;q=0.1"
        case .image: "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5"
        case .font, .media, .track, .other: "*/*"
        }
    }
}

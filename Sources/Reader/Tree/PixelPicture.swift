/// Pictures of pixels: they have no scripts, and refer to no other files.
enum PixelPicture {
    /// Whether a URL is a `data:` URL of one.
    static func isURL(_ url: ArraySlice<UInt8>) -> Bool { beginnings.contains { url.starts(with: $0) } }

    private static let beginnings = ["png", "jpeg", "gif", "webp"].map { Array("data:image/\($0);base64,".utf8) }
}

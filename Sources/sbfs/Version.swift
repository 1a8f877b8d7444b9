import StuffBucket

/// The program's version: semantic versioning of the command line and of the library product.
enum Version {
    static let number = "0.1.0"
    /// The date of the last change of the manual, for its footer.
    static let date = "2026-11-21"

    static var text: String { "sbfs \(number) (library format \(LibraryFile.supportedFormat))" }
}

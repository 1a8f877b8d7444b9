import Items

/// The program's version: semantic versioning of the command line and of the library product.
enum Version {
    static let number = "0.1.0"

    static var text: String { "sbfs \(number) (library format \(LibraryFile.supportedFormat))" }
}

extension JSON {
    /// The value in UTF-8 on one line, without a newline at its end.
    public var oneLine: [UInt8] {
        var writer = JSONWriter(.oneLine)
        writer.write(self)
        return writer.bytes
    }

    /// The value in UTF-8 as a file in the canonical form of FORMAT.md § Canonical JSON: two spaces a level, one member
    /// and one element a line, a final newline.
    public var file: [UInt8] { JSONWriter.file(self) }
}

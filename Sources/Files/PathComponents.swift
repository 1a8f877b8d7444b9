extension String {
    /// The names in a path, split by bytes: `/` and a combining mark at the beginning of a name are one Character.
    package var pathComponents: [String] {
        utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }
}

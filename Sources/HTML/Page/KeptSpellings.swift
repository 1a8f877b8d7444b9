internal import Characters

/// Attributes whose values the saved page changes while its style sheets select elements by them: `a[href*="://"]` must not
/// match a link that became absolute. Their spelling is kept in an attribute of another name, and the sheets' selectors
/// name that one.
package struct KeptSpellings: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Bytes of a value that are kept: a picture may be in its `src`.
    static let byteLimit = 2048

    /// Of links and areas.
    package static let href = KeptSpellings(rawValue: 1)
    /// Of pictures, media and plugins.
    package static let src = KeptSpellings(rawValue: 2)

    /// The attributes by which a page or a sheet may select, by their bytes alone; a script or a text that reads like a
    /// selector costs some attributes.
    package static func selected(in bytes: [UInt8]) -> KeptSpellings {
        bytes.withUnsafeBufferPointer { bytes in
            var found: KeptSpellings = []
            for place in bytes.indices where bytes[place] == 0x5B {
                var start = place + 1
                while start < bytes.count, bytes[start] <= 0x20 { start += 1 }
                for (spelling, name) in names where place + name.utf8CodeUnitCount < bytes.count {
                    let end = min(bytes.count, start + name.utf8CodeUnitCount)
                    if bytes.equals(name, start, end), isCompared(bytes, end) { found.insert(spelling) }
                }
            }
            return found
        }
    }

    private static let names: [(KeptSpellings, StaticString)] = [(.href, "href"), (.src, "src")]

    /// The attribute that keeps the spelling of another, if that is kept.
    func name(for attribute: KeptSpellings) -> StaticString? {
        if !contains(attribute) { return nil }
        return attribute == .href ? "data-sbfs-own-href" : "data-sbfs-own-src"
    }

    /// The attribute that a selector shall name instead of one that it compares with a value.
    ///
    /// - Parameters:
    ///   - start: where the name of the attribute starts, after the bracket.
    ///   - end: where it ends.
    func name(inSelector bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> StaticString? {
        if isEmpty { return nil }
        for (spelling, name) in Self.names where CSSText.equals(name, bytes, start, end) {
            return Self.isCompared(bytes, end) ? self.name(for: spelling) : nil
        }
        return nil
    }

    /// Whether `=` or another comparison is next.
    private static func isCompared(_ bytes: UnsafeBufferPointer<UInt8>, _ end: Int) -> Bool {
        var place = end
        while place < bytes.count, bytes[place] <= 0x20 { place += 1 }
        guard place < bytes.count else { return false }
        if bytes[place] == 0x3D { return true }
        return "~|^$*".utf8.contains(bytes[place]) && place + 1 < bytes.count && bytes[place + 1] == 0x3D
    }
}

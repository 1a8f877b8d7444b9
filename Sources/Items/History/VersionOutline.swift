package import Time

/// A version without its content: all that the graph of versions needs. The content is read again when it is needed, so
/// that the memory for a graph does not depend on the sizes of its versions.
package struct VersionOutline: Sendable {
    /// The name of the version.
    package let name: ContentHash
    /// Names of the versions it came from, sorted.
    package let parents: [ContentHash]
    /// Equal for versions that differ in nothing but parents and resolved conflicts.
    package let content: StateHashes
    /// Paths of the conflicts that it ends, relative to the item's folder.
    package let resolved: [String]
    /// As in the version: a root that programs may have changed.
    package let isEdited: Bool
    /// `updatedAt` of the item; `nil` without a time.
    package let updatedAt: Timestamp?

    /// The SHA-256 of text.md; `nil` without one.
    package var text: ContentHash? { content.text }

    package init(_ version: Version) {
        name = version.name
        parents = version.parents
        content = StateHashes(version)
        resolved = version.resolved
        isEdited = version.isEdited
        let updated = version.item.first { $0.key.utf8.elementsEqual(ItemField.updatedAt.key.utf8) }
        if case .string(let time)? = updated?.value { updatedAt = Timestamp(time) } else { updatedAt = nil }
    }
}

extension [VersionOutline] {
    /// The versions from which no other of them comes.
    package var heads: [VersionOutline] {
        let followed = Set(flatMap(\.parents))
        return filter { !followed.contains($0.name) }
    }
}

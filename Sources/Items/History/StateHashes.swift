package import JSONFormat

/// A hash of each component of a state. Two states have the same content if these are equal.
package struct StateHashes: Hashable, Sendable {
    /// Of the members of item.json in canonical JSON.
    package let item: ContentHash
    /// Of the bytes of text.md; `nil` without one.
    package let text: ContentHash?
    /// Of the list of the page's files; `nil` without any.
    package let page: ContentHash?
    /// Of the list of the document's files; `nil` without any.
    package let document: ContentHash?

    package init(item members: [JSON.Member], text: ContentHash?, files: [Version.File]) {
        item = Self.item(members)
        self.text = text
        page = Self.hash(files.filter { Component(of: $0) == .page })
        document = Self.hash(files.filter { Component(of: $0) == .document })
    }

    /// The page, if it took the place of another, and the document, if it is another or new.
    ///
    /// - Parameter before: an earlier state; what lies in an exchange alone may be left out.
    package func replaced(since before: StateHashes) -> Set<Component> {
        var components: Set<Component> = []
        if document != nil, document != before.document { components.insert(.document) }
        if page != nil, before.page != nil, page != before.page { components.insert(.page) }
        return components
    }

    /// The hash of the members of item.json in canonical JSON.
    static func item(_ members: [JSON.Member]) -> ContentHash { ContentHash(of: JSONWriter.file(.object(members))) }

    /// The same of an item.json whose root is an object.
    static func item(_ json: JSONDocument) -> ContentHash { item(json.exactMembers(json.root)) }

    package init(_ version: Version) { self.init(item: version.item, text: version.text, files: version.files) }

    package subscript(component: Component) -> ContentHash? {
        switch component {
        case .item: item
        case .text: text
        case .page: page
        case .document: document
        }
    }

    /// The hash of the files of a page or a document; `nil` without any.
    ///
    /// - Parameter files: sorted by path.
    package static func hash(_ files: [Version.File]) -> ContentHash? {
        if files.isEmpty { return nil }
        return ContentHash(of: Array(files.map { "\($0.sha256.hex) \($0.size) \($0.path)\n" }.joined().utf8))
    }
}

public import Items
internal import Search
internal import URLs

/// The way in which a person names an item.
public enum ItemReference: Hashable, Sendable {
    /// A whole UUID.
    case id(ItemID)
    /// At least four digits from the start or the end of an id.
    case digits(String)
    /// A link, in normal form.
    case link(String)
    case title

    /// Reads what a person typed. Text that is no id, no link and no digits of an id is a title.
    public init(_ text: String) {
        let digits = text.filter { $0 != "-" }
        if let id = ItemID(text) {
            self = .id(id)
        } else if let link = LinkIdentity(text) {
            self = .link(link.normalized)
        } else if digits.count >= 4, digits.count <= 32, digits.utf8.count == digits.count,
            digits.allSatisfy({ $0.isHexDigit })
        {
            self = .digits(digits.lowercased())
        } else {
            self = .title
        }
    }

    /// Fewer digits may also be a word or a year, so titles are searched too.
    static let safeDigitCount = 8
}

/// The items that typed names mean.
public struct Resolution: Sendable {
    /// Found items in the order in which they were named, without duplicates.
    public var rows: [Row] = []
    /// Names that match nothing.
    public var unknown: [String] = []
    /// Names that match several items, with the items.
    public var ambiguous: [(name: String, rows: [Row])] = []
}

/// Whether an item is in the trash.
public enum Liveness: Sendable {
    case live, trashed
}

extension Library {
    /// Finds the items that a person named: by id, digits of it, link or title.
    ///
    /// The library is read at most once for all titles and once for all links.
    ///
    /// - Parameters:
    ///   - preferred: whether a link or title of several items means those in the trash, or the
    ///     others.
    ///   - names: the names as typed.
    /// - Throws: `ItemError`, and `FileError` if a file of the index cannot be read.
    public func resolve(_ names: [String], preferring preferred: Liveness = .live) throws -> Resolution {
        func prefer(_ rows: [Row]?) -> [Row] {
            let rows = rows ?? []
            let matching = rows.filter { $0.isTrashed == (preferred == .trashed) }
            return matching.isEmpty ? rows : matching
        }
        var resolution = Resolution()
        var seen: Set<ItemID> = []
        let references = names.map(ItemReference.init)
        let links = Set(references.compactMap { if case .link(let link) = $0 { link } else { nil } })
        let byLink = links.isEmpty ? [:] : try items(withLinks: links)
        var byDigits: [String: [Row]] = [:]
        var titles: Set<String> = []
        for (name, reference) in zip(names, references) {
            switch reference {
            case .digits(let digits):
                byDigits[digits] = try items(withDigits: digits)
                if byDigits[digits, default: []].isEmpty || digits.count < ItemReference.safeDigitCount {
                    titles.insert(Folding.fold(name))
                }
            case .title: titles.insert(Folding.fold(name))
            case .id, .link: break
            }
        }
        let byTitle = titles.isEmpty ? [:] : try items(withTitles: titles)
        for (name, reference) in zip(names, references) {
            let rows: [Row]
            switch reference {
            case .id(let id): rows = try row(of: id).map { [$0] } ?? []
            case .link(let link): rows = prefer(byLink[link])
            case .digits(let digits):
                let titled = prefer(byTitle[Folding.fold(name)])
                rows = (byDigits[digits] ?? []) + titled.filter { !(byDigits[digits] ?? []).contains($0) }
            case .title: rows = prefer(byTitle[Folding.fold(name)])
            }
            switch rows.count {
            case 0: resolution.unknown.append(name)
            case 1: if seen.insert(rows[0].id).inserted { resolution.rows.append(rows[0]) }
            default: resolution.ambiguous.append((name, rows))
            }
        }
        return resolution
    }

    /// An existing item that was not purged. An item whose item.json cannot be read is included: it can still be
    /// opened.
    ///
    /// - Throws: `ItemError`.
    public func row(of id: ItemID) throws -> Row? {
        do {
            return try store.item(id).flatMap { try store.isPurged($0) ? nil : Row($0) }
        } catch {
            guard let folder = try store.folder(of: id) else { throw error }
            return Row(id: id, folder: folder, isTrashed: false)
        }
    }
}

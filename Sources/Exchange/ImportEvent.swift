/// A place in a file, as a person counts.
public enum ImportPlace: Sendable, Equatable, CustomStringConvertible {
    /// The line number, from 1.
    case line(Int)
    /// A byte offset, from 0.
    case offset(Int)
    /// The number of the entry in its file, from 1, for files whose bytes mean nothing to a person.
    case entry(Int)
    /// In a folder: the file's path relative to it.
    case file(String)

    /// The place in words, such as `line 3`; for a file in a folder, its path.
    public var description: String {
        switch self {
        case .line(let number): "line \(number)"
        case .offset(let offset): "byte \(offset)"
        case .entry(let number): "entry \(number)"
        case .file(let path): path
        }
    }
}

/// A folder of the source that is listed itself: it may be empty or have further properties.
public struct ImportedFolder: Sendable, Equatable {
    /// The names of the levels, outermost first.
    package var path: [String]
    /// As the source spells it, unchecked; `nil` for none.
    package var colour: String?
    /// The icon's name as the source spells it; `nil` for none.
    package var icon: String?
    /// Its rank among others, smallest first; `nil` for none.
    package var order: Double?

    /// Makes a folder. The path starts with the outermost name.
    package init(_ path: [String], colour: String? = nil, icon: String? = nil, order: Double? = nil) {
        self.path = path
        self.colour = colour
        self.icon = icon
        self.order = order
    }
}

/// What a reader reports, in the order of the file.
public enum ImportEvent: Sendable, Equatable {
    case entry(ImportedEntry)
    case folder(ImportedFolder)
    case fault(ImportFault)
    /// The name of a part that belongs to no entry and is left out.
    case untaken(String)
}

/// Receives a reader's events. Only an error that it throws itself ends the reading early.
public typealias ImportSink = (ImportEvent) throws -> Void

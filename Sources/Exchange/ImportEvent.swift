/// Where something stands in a file, counted as people count.
public enum ImportPlace: Sendable, Equatable, CustomStringConvertible {
    /// From 1.
    case line(Int)
    /// Byte offset from 0.
    case offset(Int)
    /// The number of the entry in its file, from 1, where bytes say nothing to a person.
    case entry(Int)
    /// Of a folder: the file's path relative to it.
    case file(String)

    /// The place in words, as `line 3`; of a file in a folder its path.
    public var description: String {
        switch self {
        case .line(let number): "line \(number)"
        case .offset(let offset): "byte \(offset)"
        case .entry(let number): "entry \(number)"
        case .file(let path): path
        }
    }
}

/// What could not be read, or only in part.
public struct ImportFault: Sendable, Equatable, CustomStringConvertible {
    /// Where it stands in the file or folder that is read.
    public let place: ImportPlace
    /// What is wrong there, as a phrase for a person.
    public let what: String
    /// Whether an entry was lost by it, and not only a part of one.
    public let isLoss: Bool

    /// Makes a fault; an entry counts as lost unless `isLoss` says otherwise.
    public init(_ place: ImportPlace, _ what: String, isLoss: Bool = true) {
        self.place = place
        self.what = what
        self.isLoss = isLoss
    }

    /// The place and what is wrong there, for a person.
    public var description: String { "\(place): \(what)" }
}

/// A folder of the source that is there for itself: empty perhaps, or with more than its name.
public struct ImportedFolder: Sendable, Equatable {
    /// Outermost first.
    public var path: [String]
    /// As the source spells it, not checked; `nil` where it gives none.
    public var colour: String?
    /// The icon's name as the source spells it; `nil` where it gives none.
    public var icon: String?
    /// Its place among others, smallest first; `nil` where the source gives none.
    public var order: Double?

    /// Makes a folder; the path has the outermost name first.
    public init(_ path: [String], colour: String? = nil, icon: String? = nil, order: Double? = nil) {
        self.path = path
        self.colour = colour
        self.icon = icon
        self.order = order
    }
}

/// What a reader finds, in the file's order.
public enum ImportEvent: Sendable, Equatable {
    case entry(ImportedEntry)
    case folder(ImportedFolder)
    case fault(ImportFault)
    /// The name of something that belongs to no entry and is not taken.
    case untaken(String)
}

/// Takes what a reader finds; only what it throws itself ends a reading early.
public typealias ImportSink = (ImportEvent) throws -> Void

/// A file of which nothing can be read.
public struct ImportError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Why nothing can be read, as a phrase for a person.
    public let description: String

    /// Makes an error of the phrase that a person reads.
    public init(_ description: String) { self.description = description }
}

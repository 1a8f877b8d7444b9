/// Where something stands in a file, counted as people count.
package enum ImportPlace: Sendable, Equatable, CustomStringConvertible {
    /// From 1.
    case line(Int)
    /// Byte offset from 0.
    case offset(Int)
    /// The number of the entry in its file, from 1, where bytes say nothing to a person.
    case entry(Int)
    /// Of a folder: the file's path relative to it.
    case file(String)

    package var description: String {
        switch self {
        case .line(let number): "line \(number)"
        case .offset(let offset): "byte \(offset)"
        case .entry(let number): "entry \(number)"
        case .file(let path): path
        }
    }
}

/// What could not be read, or only in part.
package struct ImportFault: Sendable, Equatable, CustomStringConvertible {
    package let place: ImportPlace
    package let what: String
    /// Whether an entry was lost by it, and not only a part of one.
    package let isLoss: Bool

    package init(_ place: ImportPlace, _ what: String, isLoss: Bool = true) {
        self.place = place
        self.what = what
        self.isLoss = isLoss
    }

    package var description: String { "\(place): \(what)" }
}

/// A folder of the source that is there for itself: empty perhaps, or with more than its name.
package struct ImportedFolder: Sendable, Equatable {
    /// Outermost first.
    package var path: [String]
    package var colour: String?
    package var icon: String?
    package var order: Double?

    package init(_ path: [String], colour: String? = nil, icon: String? = nil, order: Double? = nil) {
        self.path = path
        self.colour = colour
        self.icon = icon
        self.order = order
    }
}

/// What a reader finds, in the file's order.
package enum ImportEvent: Sendable, Equatable {
    case entry(ImportedEntry)
    case folder(ImportedFolder)
    case fault(ImportFault)
    /// The name of something that belongs to no entry and is not taken.
    case untaken(String)
}

/// Takes what a reader finds; only what it throws itself ends a reading early.
package typealias ImportSink = (ImportEvent) throws -> Void

/// A file of which nothing can be read.
package struct ImportError: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

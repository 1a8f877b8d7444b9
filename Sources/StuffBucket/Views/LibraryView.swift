public import Files
public import Items

/// A folder outside the library that always shows its items: copies of documents and saved pages, under names for people.
///
/// The view is the folder `StuffBucket` in a folder that a person chose. It is derived: the library's files are the truth, and
/// removing the view removes no item. Only what `refresh` wrote is ever changed or removed; a person's own files and edits stay,
/// and `changes` names them. The manifest of what was written is in the library's `.sbfs`.
///
/// Methods block until the files are written. One process works on a view at a time; others wait for up to ten seconds.
public final class LibraryView: Sendable {
    /// The library that the view shows.
    public let library: Library
    let record: ViewRecord
    let manifest: ViewManifest

    init(_ library: Library, _ record: ViewRecord, _ manifest: ViewManifest) {
        self.library = library
        self.record = record
        self.manifest = manifest
    }

    /// A random id, which the marker in the view's folder repeats.
    public var id: ItemID { record.id }
    /// The folder that the person chose.
    public var folder: String { record.folder }
    /// The view's own folder: `StuffBucket` in `folder`.
    public var path: String { record.path }
    /// What the view shows.
    public var profile: ViewProfile { record.profile }
    /// How its files are made.
    public var mode: ViewMode { record.mode }

    /// Whether the view's folder is there.
    ///
    /// - Throws: `FileError` if it cannot be looked at.
    public func state() throws(FileError) -> ViewState {
        do throws(FileError) {
            return try state(of: Directory(path: record.folder).directory(ViewRecord.folderName))
        } catch let error where error.isAbsent || error.isEscape {
            return .missing
        }
    }

    func state(of root: borrowing Directory) throws(FileError) -> ViewState {
        switch try ViewMarker.find(in: root) {
        case .absent: .missing
        case .unreadable: .foreign
        case .marker(let marker): marker == ViewMarker(view: id, of: library.store) ? .present : .foreign
        }
    }

    /// The number of items that could not be written by the last refresh, and wait for the next.
    public var behindCount: Int { manifest.behindIDs().count }

    /// The number of items that the view shows something of.
    ///
    /// - Throws: `FileError` if the manifest cannot be listed.
    public func itemCount() throws -> Int { try manifest.ids().count }
}

/// What a refresh compares.
public enum ViewScope: Sendable {
    /// Everything: all items, and every file of the view by stat.
    case all
    /// Items that changed. The cost does not depend on the size of the library.
    case items([ItemID])
    /// Smart folders and the latest changes, which also depend on the time.
    case queries
}

/// What becomes of a view whose folder is gone.
public enum MissingView: Sendable {
    /// Nothing; the report says so.
    case report
    /// It is made again.
    case make
}

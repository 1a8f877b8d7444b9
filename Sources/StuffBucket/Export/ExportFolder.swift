internal import Exchange
internal import Items

/// The folder of a collection in a format of another program.
///
/// It has as many levels as an import takes from such a file; a further `/` belongs to the name of the last one. Each
/// level can cost the length of the whole path, so their number is bounded.
struct ExportFolder: Equatable {
    /// Names of the levels, outermost first; none is empty.
    var path: [String]

    init(_ path: [String]) { self.path = path }

    init(of collection: String) { path = FolderPath.split(collection, limit: ImportedEntry.folderDepthLimit) }

    /// The same for all spellings of the collection.
    var key: TagList.Key { TagList.Key(FolderPath.joined(path)) }
}

public import Files
public import JSONFormat

extension Finding {
    /// What is wrong, or worth knowing.
    public enum Kind: Sendable {
        // MARK: Any file
        /// The file or folder cannot be read.
        case unreadable(any Error)
        /// The file is no JSON.
        case malformed(JSONError)
        /// The file is JSON, but not what must be there.
        case unsuitable(Unsuitability)
        /// A value of item.json or library.json is not what the key asks for.
        case field(FieldFault)
        /// Something else than a file or a folder has a name with a meaning.
        case wrongKind(FileKind, expected: FileKind)

        // MARK: The library
        /// A version of library.json that could not be merged.
        case unmergedSettings
        /// Something else than a folder has the name of one of the library's folders.
        case notFolder(FileKind)
        /// A file of collections/, tags/ or smart/ has another name than the one that follows from what it is about.
        case misnamed(right: String)
        /// A file of tags/ is about a collection.
        case tagOfCollection
        /// A name in items/ that is none of a shard.
        case notShard
        /// Something else than a folder where items' folders are.
        case notItemFolder(FileKind)
        /// A folder's name is an id in upper case.
        case upperCaseID
        /// A folder's name is no id.
        case noID
        /// A folder's name is no id, and the folder holds an item.json.
        case itemFileWithoutID
        /// A file of tombstones/ has a name that is none of an id.
        case misnamedTombstone
        /// A tombstone without a time purges nothing.
        case tombstoneWithoutTime
        /// The item was purged, and its folder is still here.
        case purged
        /// The item of a tombstone was restored or changed later, and stays.
        case tombstoneOfLiving

        // MARK: An item
        /// The id in item.json is not that of the folder, which may be a copy.
        case otherID(FieldFault)
        /// item.json is not here yet.
        case itemFileOnItsWay
        /// item.json is not here, and these files beside it are not found without it.
        case noItemFile(contents: [String])
        /// The item is in its own shard too, at this path.
        case inTwoPlaces(other: String)
        /// The item is in another shard than its own.
        case wrongShard(right: String)
        /// The link's host or port is not valid.
        case badLink
        /// The text is in item.json, and moves to text.md at the next write.
        case textInItemFile
        /// item.json has a text beside text.md.
        case secondText
        /// item.json names a file that is not here.
        case missing
        /// The saved page refers to a file that is not here.
        case missingAsset
        /// So many more files of the saved page are not here.
        case moreMissingAssets(count: Int)
        /// Versions in conflicts/.
        case conflicts(count: Int)
        /// The file's name is not UTF-8, so the file is not read.
        case unreadName
        /// The document lies beside item.json.
        case looseDocument
        /// A file beside item.json that is not the document.
        case looseFile
        /// Something else than a file in document/.
        case notDocument(FileKind)
        /// A document beside the item's own.
        case extraDocument
        /// One of several documents of which item.json names none.
        case oneOfSeveralDocuments

        // MARK: Limits
        /// More keys than this in item.json.
        case manyKeys(count: Int, limit: Int)
        /// More tags than are searched.
        case manyTags(count: Int, limit: Int)
        /// Tags that have more bytes than are compared.
        case longTags(count: Int, limit: Int)
        /// Collections that have more levels than are told apart.
        case deepCollections(count: Int, limit: Int)
        /// A text with more bytes than are read.
        case largeText(byteCount: Int, limit: Int)

        // MARK: Contents
        /// The text is not UTF-8 at this byte, counted from 0.
        case textNotUTF8(offset: Int)
        /// The document is larger than any that was stored; `isStored` is false if item.json has the hash of another one.
        case largeDocument(byteCount: Int, isStored: Bool)
        /// The document's hash is not the one in item.json.
        case documentDiffers
        /// A file of the saved page has not the hash in its name.
        case assetDiffers
        /// A file in conflicts/ or history/ has not the hash in its name.
        case versionDiffers
        /// A file with a hash in its name is larger than any that was stored.
        case largeVersion(byteCount: Int)

        // MARK: Names for other systems
        /// The name differs from this one only in case or normalisation.
        case almostSameName(String)
        case nameNotUTF8
        /// Windows and Android do not allow the character.
        case nameWithCharacter(Unicode.Scalar)
        /// Windows and Android do not allow control characters.
        case nameWithControl
        /// Windows drops a dot or a space at the end.
        case nameWithDotOrSpaceAtEnd
        /// Windows has a device of this name.
        case nameOfDevice(String)
        /// More than 255 units of UTF-16.
        case nameTooLong
    }
}

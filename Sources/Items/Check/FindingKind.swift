public import Files
public import JSONFormat

extension Finding {
    /// The fault, or the fact worth knowing.
    public enum Kind: Sendable {
        // MARK: Any file
        /// The file or folder cannot be read.
        case unreadable(any Error)
        /// The file is no JSON.
        case malformed(JSONError)
        /// The file is JSON with the wrong contents.
        case unsuitable(Unsuitability)
        /// A value of item.json or library.json does not have the type or range of its key.
        case field(FieldFault)
        /// An entry of another kind has a name with a meaning.
        case wrongKind(FileKind, expected: FileKind)

        // MARK: The library
        /// A version of library.json that could not be merged.
        case unmergedSettings
        /// A file of a command that ended early: its name is unknown here, or its item is gone.
        case unknownLeftover
        /// An entry of another kind has the name of one of the library's folders.
        case notFolder(FileKind)
        /// The name of a file of collections/, tags/ or smart/ does not follow from the name that it describes.
        case misnamed(right: String)
        /// A file of tags/ describes a collection.
        case tagOfCollection
        /// A name in items/ that is no shard.
        case notShard
        /// An entry of another kind among items' folders.
        case notItemFolder(FileKind)
        /// A folder's name is an id in upper case.
        case upperCaseID
        /// A folder's name is an id in upper case, and the folder of that id is beside it.
        case upperCaseTwin(of: String)
        /// A folder's name is no id.
        case noID
        /// A folder with an item.json whose name is no id.
        case itemFileWithoutID
        /// A file of tombstones/ whose name is not made from an id.
        case misnamedTombstone
        /// A tombstone without a time purges nothing.
        case tombstoneWithoutTime
        /// The item was purged, but its folder still exists.
        case purged
        /// The item was purged and is hidden, and its folder has what the purge did not see.
        case purgedInPart
        /// The item was purged before this copy had it in the trash, and is as the purge saw it.
        case broughtBack
        /// The item of a tombstone was restored or changed later, and stays.
        case tombstoneOfLiving

        // MARK: An item
        /// The id in item.json is not that of the folder, which may be a copy.
        case otherID(FieldFault)
        /// item.json has not arrived on this device.
        case itemFileOnItsWay
        /// item.json is missing, so these files beside it are not found.
        case noItemFile(contents: [String])
        /// The item also has a folder in its own shard, at this path.
        case inTwoPlaces(other: String)
        /// The item is in another shard than its own.
        case wrongShard(right: String)
        /// The link's host or port is not valid.
        case badLink
        /// The text is in item.json, and moves to text.md at the next write.
        case textInItemFile
        /// item.json has a text beside text.md.
        case secondText
        /// item.json names a file that is missing.
        case missing
        /// item.json names a file that is not here: it is above the limit of the device that has it, so no exchange holds it.
        case tooLargeElsewhere(byteCount: Int)
        /// The saved page or the document is in an exchange only; the bytes of its files.
        case away(byteCount: Int)
        /// The saved page or the document is in exchanges only, and this one lacks its object or has it damaged.
        case awayFault(exchange: String, any Error, isElsewhere: Bool)
        /// Files are in this exchange only, as far as is known, and it cannot be read now.
        case exchangeUnreachable(any Error)
        /// Files of so many items are in an exchange only, and this device names none.
        case noExchange(itemCount: Int)
        /// The saved page refers to a file that is missing.
        case missingAsset
        /// A copy that a copying program left of this file, because two versions met. It is not joined, or not yet.
        case conflictCopy(of: String)
        /// The permissions of the file or folder do not allow reading it.
        case noAccess
        /// The number of further missing files of the saved page.
        case moreMissingAssets(count: Int)
        /// Versions in conflicts/.
        case conflicts(count: Int)
        /// The file's name is not UTF-8, so the file is not read.
        case unreadName
        /// The document is beside item.json.
        case looseDocument
        /// A file beside item.json that is not the document.
        case looseFile
        /// An entry of another kind in document/.
        case notDocument(FileKind)
        /// A further document beside the item's own.
        case extraDocument
        /// One of several documents; item.json names none.
        case oneOfSeveralDocuments

        // MARK: Limits
        /// More keys than this in item.json.
        case manyKeys(count: Int, limit: Int)
        /// More tags than this; the others are not searched.
        case manyTags(count: Int, limit: Int)
        /// Tags with more bytes than filters compare.
        case longTags(count: Int, limit: Int)
        /// Collections with more levels than the limit.
        case deepCollections(count: Int, limit: Int)
        /// A text with more bytes than the limit for reading.
        case largeText(byteCount: Int, limit: Int)

        // MARK: Contents
        /// The text is not UTF-8 at this byte, counted from 0.
        case textNotUTF8(offset: Int)
        /// The document is larger than any that sbfs stores; `isStored` is false if item.json has the hash of another
        /// one.
        case largeDocument(byteCount: Int, isStored: Bool)
        /// The document's hash differs from the one in item.json, and a version has the file as it is.
        case documentEdited
        /// The document is that of an earlier version; the one of the latest has not arrived.
        case documentEarlier
        /// The document's hash differs from the one in item.json.
        case documentDiffers
        /// The contents of a file of the saved page do not match the hash in its name.
        case assetDiffers
        /// The contents of a file in conflicts/ or history/ do not match the hash in its name.
        case versionDiffers
        /// A file of history/ has the name of a version and is none.
        case noVersion(VersionFault)
        /// A version came from so many versions that are not here, or its text is not here. It does not count until then.
        case versionWaits(parents: Int, lacksText: Bool)
        /// The bytes of one of these files of the item changed since they were last read, although neither sizes nor
        /// times did.
        case changedUnseen(among: [String])
        /// Something in the item was wrong when all its files were last read in the background (`Verifier`).
        case wrongWhenRead
        /// A file with a hash in its name is larger than any that sbfs stores.
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
        /// The name has more than 255 UTF-16 units.
        case nameTooLong
    }
}

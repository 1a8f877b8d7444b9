public import Files
public import JSONFormat
public import PropertyList

/// A part of the import that could not be read completely.
public struct ImportFault: Sendable, Equatable {
    /// What is wrong in the file or folder.
    public enum Kind: Sendable, Equatable {
        // Texts.
        /// Parts of the text are not in this encoding; they became U+FFFD.
        case invalidText(encoding: String)
        /// This number of lines is not UTF-8 and was read as windows-1252.
        case linesReadAsWindows1252(Int)
        /// This number of texts of a bookmark file is not UTF-8 and was read as windows-1252.
        case textsReadAsWindows1252(Int)

        // Files that end early.
        case endsWithinTag
        case endsWithinFolder
        /// The file ends within an entry, which is not taken.
        case endsWithinEntry
        case endsWithinOutline
        case endsWithinList
        /// An element that never ends contains the rest of the file as text.
        case endlessElement
        /// A quote of a table is not closed.
        case unclosedQuote
        /// A second quote of a table is not closed; the rest was not read.
        case unclosedQuoteToEnd
        /// The compressed text of a browser's backup is damaged.
        case packedText(PackedTextDamage)

        // Structure.
        /// The file holds no bookmark.
        case noBookmark
        /// Folders of bookmarks below this depth became one.
        case foldersMerged(limit: Int)
        /// A folder of bookmarks ends without a beginning.
        case unopenedFolder
        /// A table lacks this column.
        case noColumn(String)
        case namelessFolder
        /// A clipping without the line that says where it is.
        case clippingWithoutPlace

        // Entries of another kind.
        case notBookmark
        case neitherBookmarkNorFolder
        case neitherBookmarkNorList
        /// A value of JSON is neither a bookmark, a note nor an item.
        case unknownValue(JSONLook)

        // JSON and property lists.
        /// One line of JSON does not parse.
        case invalidLine(JSONError)
        /// The JSON does not parse; what comes after the error was not read.
        case invalidJSON(JSONError)
        /// One value of a list cannot be read.
        case unreadableValue(ImportError.Damage)
        /// Something follows the list; it was not read.
        case bytesAfterList(first: UInt8)
        /// A value of a list is followed by neither a comma nor the end; the rest was not read.
        case noComma(found: UInt8)
        /// The property list does not parse.
        case propertyList(PropertyListFault)

        // Folders of files.
        case nameNotUTF8
        /// Folders nested deeper than this are not read.
        case nestedTooDeep(limit: Int)
        /// A symbolic link that leads out of the folder was not followed.
        case linkOutOfFolder
        /// A device, a socket or a FIFO.
        case notRegularFile
        case file(FileError)
    }

    /// What a value of JSON is.
    public enum JSONLook: Sendable, Equatable {
        case emptyObject
        /// An object with these keys, sorted, each cut to 40 bytes.
        case object(keys: [String])
        case list
        case text
        case number
        /// `true`, `false` or `null`.
        case word(String)
    }

    /// How a compressed text is damaged.
    public enum PackedTextDamage: Sendable, Equatable {
        case cutOff
        case longerThanStated
        case shorterThanStated
        /// A repetition refers to before the text.
        case badReference
    }

    /// The place in the file or folder.
    public let place: ImportPlace
    /// What is wrong there.
    public let kind: Kind

    /// Makes a fault.
    public init(_ place: ImportPlace, _ kind: Kind) {
        self.place = place
        self.kind = kind
    }

    /// Whether an entry was lost, and not only a part of one.
    public var isLoss: Bool {
        switch kind {
        case .invalidText, .linesReadAsWindows1252, .textsReadAsWindows1252, .endsWithinFolder, .endsWithinOutline,
            .packedText, .foldersMerged, .unopenedFolder:
            false
        default: true
        }
    }
}

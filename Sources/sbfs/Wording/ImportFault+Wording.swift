import StuffBucket

extension ImportFault.Kind {
    /// What is wrong, as a phrase without a full stop.
    var wording: String {
        switch self {
        case .invalidText(let encoding): "parts are no valid \(encoding)"
        case .linesReadAsWindows1252(let count):
            "not UTF-8: \(count) line\(count == 1 ? "" : "s") read as windows-1252"
        case .textsReadAsWindows1252(let count):
            "not UTF-8: \(count) text\(count == 1 ? "" : "s") read as windows-1252"
        case .endsWithinTag: "the file ends within a tag"
        case .endsWithinEntry: "the file ends within an entry"
        case .endsWithinFolder: "the file ends within a folder"
        case .endsWithinOutline: "the file ends within an outline"
        case .endsWithinList: "the file ends within the list"
        case .endlessElement: "an element without an end contains the rest of the file as text"
        case .unclosedQuote: "a quote that is not closed"
        case .unclosedQuoteToEnd: "a quote that is not closed; the rest was not read"
        case .packedText(.cutOff): "the packed text is cut off"
        case .packedText(.longerThanStated): "it is longer than it says"
        case .packedText(.shorterThanStated): "it is shorter than it says"
        case .packedText(.badReference): "it refers to before its beginning"
        case .noBookmark: "there is no bookmark in it"
        case .foldersMerged(let limit): "folders nested deeper than \(limit) are taken as one"
        case .unopenedFolder: "</DL> without its beginning"
        case .noColumn(let name): "there is no column \"\(name)\" in this section"
        case .namelessFolder: "a folder without a name"
        case .clippingWithoutPlace: "a clipping without a line that says where it is"
        case .notBookmark: "not a bookmark"
        case .neitherBookmarkNorFolder: "neither a bookmark nor a folder"
        case .neitherBookmarkNorList: "neither a bookmark nor a list of bookmarks"
        case .unknownValue(let look): "neither a bookmark, a note nor an item: \(look.wording)"
        case .invalidLine(let error): "column \(error.column): \(error.mismatch)"
        case .invalidJSON(let error): "\(error.mismatch); the rest was not read"
        case .unreadableValue(let damage): "\(damage)"
        case .bytesAfterList(let byte):
            "expected the end of the file, found \(Self.name(byte)); the rest was not read"
        case .noComma(let byte): "expected a comma or ], found \(Self.name(byte)); the rest was not read"
        case .propertyList(let fault): fault.phrase
        case .nameNotUTF8: "its name is not UTF-8"
        case .nestedTooDeep(let limit): "nested deeper than \(limit) folders"
        case .linkOutOfFolder: "a link that leads out of the folder; it was not followed"
        case .notRegularFile: "not a regular file"
        case .file(let error): "\(error)"
        }
    }

    private static func name(_ byte: UInt8) -> String {
        byte > 0x20 && byte < 0x7F ? "\"\(Character(UnicodeScalar(byte)))\"" : "byte \(byte)"
    }
}

extension ImportFault.JSONLook {
    fileprivate var wording: String {
        switch self {
        case .emptyObject: "it is empty"
        case .object(let keys): "it has \(Self.list(keys))"
        case .list: "it is a list"
        case .text: "it is a text"
        case .number: "it is a number"
        case .word(let word): "it is \(word)"
        }
    }

    private static func list(_ keys: [String]) -> String {
        keys.prefix(6).joined(separator: ", ") + (keys.count > 6 ? " and others" : "")
    }
}

extension ImportRemark {
    /// What became of the value, as a phrase without a full stop.
    var wording: String {
        switch self {
        case .unknownDate(let text): "its date \"\(text)\" is in no form that import knows"
        case .unknownDates(let first, let count):
            "\(count) of its dates are in no form that import knows, first \"\(first)\""
        case .cutField(let field, let count, let limit):
            "its \(field.rawValue) has \(count) bytes and was cut to \(limit)"
        case .tagsLeftOut(let count, let limit): "of its \(count) tags the first \(limit) were taken"
        case .unreadFrontMatter: "its front matter cannot be read, and is kept as text"
        case .missingFile: "its file is not in this export"
        case .text(let fault): "\(fault.place): \(fault.kind.wording)"
        }
    }
}

internal import Files
public import JSONFormat

/// Why a file of conflicts/ that has the name of a conflict is none.
public enum ConflictFault: Error, Equatable, Sendable {
    /// The bytes do not have the hash that begins the file's name.
    case otherHash
    /// The file is no JSON, or above a limit.
    case malformed(JSONError)
    /// A required key is absent or has a wrong value.
    case lacks(String)
    /// The file has more bytes than any conflict.
    case tooLarge(byteCount: Int)
    /// A link, a folder or another entry that is no regular file.
    case notAFile
}

extension ConflictFault: CustomStringConvertible {
    /// The reason, for a person.
    public var description: String {
        switch self {
        case .otherHash: "does not match the hash in its name"
        case .malformed(let error): error.mismatch
        case .lacks(let key): "is no conflict: \(key) is absent or has a wrong value"
        case .tooLarge(let byteCount):
            "has \(ByteCount.text(byteCount)), more than any conflict: it was not read"
        case .notAFile: "is no regular file"
        }
    }
}

/// Why a conflict cannot be resolved in the way that was asked for.
public enum ConflictRefusal: Sendable {
    /// The field has room for one value.
    case holdsOneValue
    /// Neither paragraph is in the text any more.
    case paragraphGone
    /// The paragraphs are in the text more than once.
    case paragraphRepeated
    /// The field's name fits several keys, or none.
    case unclearField
    /// The field belongs to a file of the item, or is set by sbfs alone.
    case notSettable
}

extension ConflictRefusal: CustomStringConvertible {
    /// The reason, for a person.
    public var description: String {
        switch self {
        case .holdsOneValue: "holds one value"
        case .paragraphGone: "neither paragraph is in text.md any more"
        case .paragraphRepeated: "the paragraphs are in text.md more than once"
        case .unclearField: "several keys of item.json can be meant, or none"
        case .notSettable: "sbfs sets this field itself, so no conflict can change it"
        }
    }
}

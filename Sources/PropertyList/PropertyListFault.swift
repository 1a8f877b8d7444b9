/// Why bytes are no property list, and where.
public struct PropertyListFault: Error, Equatable, Sendable {
    /// What is wrong there.
    package enum Kind: Equatable, Sendable {
        // Both forms.
        case nestedTooDeep
        // Binary.
        case noTrailer
        case trailerMismatch
        /// The number of an object that the table lacks.
        case noObject(Int)
        case tooManyValues
        case unknownObject
        case longInteger
        case unknownNumberSize
        case textBeyondFile
        case dictionaryBeyondFile
        case listBeyondFile
        case objectBeyondOthers
        case objectInItself
        case lengthNotInteger
        case lengthBeyondFile
        // XML.
        /// The name of an element that ends without a beginning.
        case unopened(String)
        /// The name of an element that does not end.
        case endless(String)
        /// An element within one that allows none.
        case within(String, inside: String)
        case unknownElement(String)
        /// A text that is no value of its element, at most 40 characters of it.
        case invalid(String, element: String)
        case keyOutsideDictionary
        case valueWithoutKey
        case noValue
        case endsWithinList
        case endlessComment
        case endlessTag
        case endlessCDATA
    }

    /// Byte offset in the file, counted from 0.
    public let offset: Int
    /// What is wrong there.
    package let kind: Kind

    init(_ offset: Int, _ kind: Kind) {
        self.offset = offset
        self.kind = kind
    }

    /// What is wrong, as a phrase in English without a full stop: "a value without a key".
    public var phrase: String { kind.phrase }
}

extension PropertyListFault: CustomStringConvertible {
    /// The byte and what is wrong there, for a person.
    public var description: String { "property list, byte \(offset): \(phrase)" }
}

extension PropertyListFault.Kind {
    fileprivate var phrase: String {
        switch self {
        case .nestedTooDeep: "it is nested too deeply"
        case .noTrailer: "the file ends before its trailer"
        case .trailerMismatch: "the trailer does not fit the file"
        case .noObject(let number): "there is no object \(number)"
        case .tooManyValues: "it unfolds to too many values"
        case .unknownObject: "an unknown object"
        case .longInteger: "an integer of too many bytes"
        case .unknownNumberSize: "a number of an unknown size"
        case .textBeyondFile: "text beyond the file"
        case .dictionaryBeyondFile: "a dictionary beyond the file"
        case .listBeyondFile: "a list beyond the file"
        case .objectBeyondOthers: "an object that goes beyond the others"
        case .objectInItself: "an object holds itself"
        case .lengthNotInteger: "a length that is no integer"
        case .lengthBeyondFile: "a length beyond the file"
        case .unopened(let name): "</\(name)> without its beginning"
        case .endless(let name): "<\(name)> that does not end"
        case .within(let name, let outer): "<\(name)> within <\(outer)>"
        case .unknownElement(let name): "an unknown element <\(name)>"
        case .invalid(let text, let name): "\"\(text)\" is no \(name)"
        case .keyOutsideDictionary: "a key outside of a dict"
        case .valueWithoutKey: "a value without a key"
        case .noValue: "there is no value in it"
        case .endsWithinList: "it ends within a list"
        case .endlessComment: "a comment that does not end"
        case .endlessTag: "a tag that does not end"
        case .endlessCDATA: "a CDATA section that does not end"
        }
    }
}

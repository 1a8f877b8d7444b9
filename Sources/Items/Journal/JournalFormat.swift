import Characters
internal import Files

/// Names and bytes of the journal, shared by writer and reader: DeviceFiles.md § D6.
///
/// A step is a file `<number>` of a header line and frames and, if documents are kept, a folder `<number>.files`. An
/// empty file `<number>.background` says that sbfs began the step by itself.
/// Frame: `<JSON bytes> SP <further bytes> SP <hash16 of both> LF`, the JSON (one line with its LF), the further
/// bytes.
enum JournalFormat {
    static let version = 1
    /// What is kept of a group of steps.
    struct Limits {
        /// The number of steps.
        let stepCount: Int
        /// The bytes of all of them with their documents. The latest step of the group always stays.
        let byteCount: Int
    }

    /// The steps of a person's commands, and those that sbfs began by itself. They do not compete for the same space.
    static let limits = Limits(stepCount: 1000, byteCount: 256 << 20)
    static let backgroundLimits = Limits(stepCount: 500, byteCount: 16 << 20)
    /// The longest header line. A file without a line end within it is no step.
    static let headerByteLimit = 64 << 10
    /// A frame's line: two numbers of at most 19 digits, 16 hexadecimal digits, two spaces and a line feed.
    static let frameLineLimit = 57
    /// A longer new text is recorded as a hash: undoing needs only the old text.
    static let newTextByteLimit = 1 << 20
    /// The longest command line recorded, in Unicode scalar values.
    static let commandLimit = 300

    /// Longer numbers are not steps, so the highest number plus one always fits.
    static let digitLimit = 15

    static let folderSuffix = ".files"
    static let backgroundSuffix = ".background"

    /// `00000042`: sorts by number up to a hundred million steps.
    static func name(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    }

    /// The number in a step's name, or `nil`.
    static func number(_ name: String) -> Int? {
        guard name.utf8.count >= 8, name.utf8.count <= digitLimit, name.utf8.allSatisfy(\.isDigit),
            let number = Int(name),
            number > 0, Self.name(number) == name
        else { return nil }
        return number
    }

    /// The number in the name of something beside a step, or `nil`.
    static func number(_ name: String, without suffix: String) -> Int? {
        name.hasSuffix(suffix) ? number(String(name.dropLast(suffix.count))) : nil
    }

    static func frame(json: [UInt8], further: [UInt8]) -> [UInt8] {
        let json = json + [0x0A]
        let line = "\(json.count) \(further.count) \(hash(json, further))\n"
        return Array(line.utf8) + json + further
    }

    /// The first 16 digits of the SHA-256 of both parts.
    static func hash(_ json: [UInt8], _ further: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(json)
        hash.update(further)
        return String(hash.finish().prefix(16))
    }

    /// A frame's line without its line feed.
    static func parse(line: ArraySlice<UInt8>) -> (jsonByteCount: Int, furtherByteCount: Int, hash: String)? {
        let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts.count == 3, let json = count(parts[0]), let further = count(parts[1]), parts[2].count == 16 else {
            return nil
        }
        return (json, further, String(decoding: parts[2], as: UTF8.self))
    }

    private static func count(_ digits: ArraySlice<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.count < 19, digits.allSatisfy(\.isDigit) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }
}

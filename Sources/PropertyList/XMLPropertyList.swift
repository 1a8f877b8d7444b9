internal import Characters
internal import Time

/// The XML form (PropertyList-1.0.dtd): elements without attributes, nested by a stack.
struct XMLPropertyList {
    private let bytes: [UInt8]
    private var at = 0

    private enum Open {
        case array([PropertyList])
        case dictionary([String: PropertyList], key: String?)

        /// Adds a value in place, so that a long list is not copied for each value.
        ///
        /// - Returns: false in a dictionary that has no key for it.
        mutating func add(_ value: PropertyList) -> Bool {
            switch consume self {
            case .array(var elements):
                elements.append(value)
                self = .array(elements)
                return true
            case .dictionary(var members, let key):
                if let key { members[key] = value }
                self = .dictionary(members, key: nil)
                return key != nil
            }
        }
    }

    static func parse(_ bytes: [UInt8]) throws(PropertyListFault) -> PropertyList {
        var parser = XMLPropertyList(bytes: bytes)
        return try parser.run()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private func fault(_ kind: PropertyListFault.Kind) -> PropertyListFault { PropertyListFault(at, kind) }

    private mutating func run() throws(PropertyListFault) -> PropertyList {
        var stack: [Open] = []
        while let (name, isEnd, isEmpty) = try tag() {
            var value: PropertyList?
            switch (name, isEnd) {
            case ("plist", _), ("?", _), ("!", _): continue
            case ("array", false):
                if isEmpty { value = .array([]) } else { stack.append(.array([])) }
            case ("dict", false):
                if isEmpty { value = .dictionary([:]) } else { stack.append(.dictionary([:], key: nil)) }
            case ("array", true):
                guard case .array(let elements)? = stack.popLast() else {
                    throw fault(.unopened("array"))
                }
                value = .array(elements)
            case ("dict", true):
                guard case .dictionary(let members, _)? = stack.popLast() else {
                    throw fault(.unopened("dict"))
                }
                value = .dictionary(members)
            case ("key", false):
                let key = isEmpty ? "" : try text(until: "key")
                guard case .dictionary(let members, _)? = stack.popLast() else {
                    throw fault(.keyOutsideDictionary)
                }
                stack.append(.dictionary(members, key: key))
                continue
            case (_, true): throw fault(.unopened(name))
            default: value = try scalar(name, isEmpty ? "" : text(until: name))
            }
            if stack.count > PropertyList.depthLimit { throw fault(.nestedTooDeep) }
            guard let value else { continue }
            guard var open = stack.popLast() else { return value }
            guard open.add(value) else { throw fault(.valueWithoutKey) }
            stack.append(open)
        }
        throw fault(stack.isEmpty ? .noValue : .endsWithinList)
    }

    private func scalar(_ name: String, _ text: String) throws(PropertyListFault) -> PropertyList {
        let trimmed = String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
        switch name {
        case "string": return .string(text)
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "integer":
            if let value = Int(trimmed) { return .integer(value) }
        case "real":
            if let value = Double(trimmed) { return .real(value) }
        case "data": return .data(Base64.decodedAsInMail(text.utf8))
        case "date":
            if let seconds = Self.seconds(trimmed) { return .date(seconds) }
        default: throw fault(.unknownElement(name))
        }
        throw fault(.invalid(String(trimmed.prefix(40)), element: name))
    }

    // MARK: Markup

    /// The next tag. A comment, a declaration and a processing instruction are skipped and returned as `!` and `?`.
    private mutating func tag() throws(PropertyListFault) -> (name: String, isEnd: Bool, isEmpty: Bool)? {
        guard let start = bytes[at...].firstIndex(of: UInt8(ascii: "<")) else { return nil }
        at = start + 1
        if starts("!--") {
            guard let end = find("-->") else { throw fault(.endlessComment) }
            at = end
            return ("!", false, false)
        }
        guard let end = bytes[at...].firstIndex(of: UInt8(ascii: ">")) else { throw fault(.endlessTag) }
        var body = bytes[at..<end]
        at = end + 1
        if body.first == UInt8(ascii: "!") { return ("!", false, false) }
        if body.first == UInt8(ascii: "?") { return ("?", false, false) }
        let isEnd = body.first == UInt8(ascii: "/")
        if isEnd { body.removeFirst() }
        let isEmpty = body.last == UInt8(ascii: "/")
        if isEmpty { body.removeLast() }
        let name = body.prefix { $0 > 0x20 }
        return (String(decoding: name, as: UTF8.self), isEnd, isEmpty)
    }

    private func starts(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[at...].starts(with: $0) }
    }

    /// The end of the next occurrence.
    private func find(_ text: String) -> Int? { bytes[at...].firstRange(ofBytes: Array(text.utf8))?.upperBound }

    /// The text up to an element's end tag, with references and CDATA resolved.
    private mutating func text(until name: String) throws(PropertyListFault) -> String {
        var output: [UInt8] = []
        while at < bytes.count {
            let byte = bytes[at]
            if byte == UInt8(ascii: "<") {
                if starts("<![CDATA[") {
                    at += 9
                    guard let end = find("]]>") else { throw fault(.endlessCDATA) }
                    output += bytes[at..<end - 3]
                    at = end
                    continue
                }
                guard let (found, isEnd, _) = try tag() else { break }
                if found == "!" { continue }
                guard isEnd, found == name else { throw fault(.within(found, inside: name)) }
                return String(decoding: output, as: UTF8.self)
            }
            if byte == UInt8(ascii: "&") {
                reference(&output)
            } else {
                output.append(byte)
                at += 1
            }
        }
        throw fault(.endless(name))
    }

    private mutating func reference(_ output: inout [UInt8]) {
        let end = bytes[at...].prefix(12).firstIndex(of: UInt8(ascii: ";"))
        guard let end else {
            output.append(bytes[at])
            at += 1
            return
        }
        let name = String(decoding: bytes[(at + 1)..<end], as: UTF8.self)
        let named = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
        if let text = named[name] {
            output += text.utf8
        } else if name.hasPrefix("#"),
            let value = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst()),
            let scalar = Unicode.Scalar(value)
        {
            output += String(scalar).utf8
        } else {
            output.append(bytes[at])
            at += 1
            return
        }
        at = end + 1
    }

    // MARK: Values

    private static let firstDay = CalendarDate(year: 2001, month: 1, day: 1).dayNumber

    /// `2026-11-21T10:15:00Z`, in seconds since 2001.
    private static func seconds(_ text: String) -> Double? {
        let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
        guard numbers.count == 6, text.utf8.last == UInt8(ascii: "Z") else { return nil }
        let (year, month, day) = (numbers[0], numbers[1], numbers[2])
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
            (0...24).contains(numbers[3]),
            (0...60).contains(numbers[4]), (0...60).contains(numbers[5])
        else { return nil }
        let days = CalendarDate(year: year, month: month, day: day).dayNumber - Self.firstDay
        return Double(days) * 86_400 + Double(numbers[3] * 3600 + numbers[4] * 60 + numbers[5])
    }
}

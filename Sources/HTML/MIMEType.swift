/// A MIME type with its parameters: https://mimesniff.spec.whatwg.org/#parsing-a-mime-type
package struct MIMEType: Sendable, Equatable {
    /// Lower case.
    package let type: String
    package let subtype: String
    /// The parameters in order. Names are in lower case, and of a repeated name the first counts.
    package let parameters: [Parameter]

    package struct Parameter: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    /// `type/subtype`.
    package var essence: String { type + "/" + subtype }

    package func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// The encoding that `charset` names, if it is a label of one.
    package var charset: CharacterEncoding? { parameter("charset").flatMap { CharacterEncoding(label: $0) } }

    /// - Returns: `nil` if the text is not a MIME type.
    package init?(_ text: String) {
        let bytes = Self.trimmed(Array(text.unicodeScalars)[...])
        guard let slash = bytes.firstIndex(of: "/") else { return nil }
        let end = bytes[slash...].firstIndex(of: ";") ?? bytes.endIndex
        let type = bytes[..<slash]
        var subtype = bytes[(slash + 1)..<end]
        while let last = subtype.last, Self.isSpace(last) { subtype.removeLast() }
        guard !type.isEmpty, type.allSatisfy(Self.isToken), !subtype.isEmpty, subtype.allSatisfy(Self.isToken) else {
            return nil
        }
        self.type = Self.lowercased(type)
        self.subtype = Self.lowercased(subtype)
        parameters = Self.parameters(bytes[end...])
    }

    /// The last valid type in the value of a header (Fetch, section 3.5, "extract a MIME type"). It keeps the charset
    /// of an earlier type with the same essence.
    package init?(header: String) {
        var found: MIMEType?
        var charset: Parameter?
        for text in Self.listed(header) {
            guard let next = MIMEType(text), next.essence != "*/*" else { continue }
            if next.essence != found?.essence {
                charset = next.parameters.first { $0.name == "charset" }
                found = next
            } else if let charset, next.parameter("charset") == nil {
                found = MIMEType(next, with: charset)
            } else {
                charset = next.parameters.first { $0.name == "charset" } ?? charset
                found = next
            }
        }
        guard let found else { return nil }
        self = found
    }

    private init(_ other: MIMEType, with parameter: Parameter) {
        type = other.type
        subtype = other.subtype
        parameters = other.parameters + [parameter]
    }

    // MARK: Steps

    private static func parameters(_ rest: ArraySlice<Unicode.Scalar>) -> [Parameter] {
        var parameters: [Parameter] = []
        var names: Set<String> = []
        var at = rest.startIndex
        while at < rest.endIndex {
            at += 1
            while at < rest.endIndex, isSpace(rest[at]) { at += 1 }
            let nameEnd = rest[at...].firstIndex { $0 == ";" || $0 == "=" } ?? rest.endIndex
            let name = rest[at..<nameEnd]
            at = nameEnd
            if at == rest.endIndex { break }
            if rest[at] == ";" { continue }
            at += 1
            var value: [Unicode.Scalar]
            if at < rest.endIndex, rest[at] == "\"" {
                value = quoted(rest, &at)
                at = rest[at...].firstIndex(of: ";") ?? rest.endIndex
            } else {
                let end = rest[at...].firstIndex(of: ";") ?? rest.endIndex
                value = Array(rest[at..<end])
                while let last = value.last, isSpace(last) { value.removeLast() }
                at = end
                if value.isEmpty { continue }
            }
            guard !name.isEmpty, name.allSatisfy(isToken), value.allSatisfy(isQuotable) else { continue }
            let key = lowercased(name)
            if names.insert(key).inserted { parameters.append(Parameter(name: key, value: string(value[...]))) }
        }
        return parameters
    }

    /// From the opening quote to after the closing quote, or to the end.
    private static func quoted(_ rest: ArraySlice<Unicode.Scalar>, _ at: inout Int) -> [Unicode.Scalar] {
        var value: [Unicode.Scalar] = []
        at += 1
        while at < rest.endIndex {
            let scalar = rest[at]
            at += 1
            if scalar == "\"" { return value }
            if scalar == "\\", at < rest.endIndex {
                value.append(rest[at])
                at += 1
            } else {
                value.append(scalar)
            }
        }
        return value
    }

    /// The value of a header, split at commas outside quotes.
    private static func listed(_ header: String) -> [String] {
        var (pieces, piece): ([String], String.UnicodeScalarView) = ([], .init())
        var (isQuoted, isEscaped) = (false, false)
        for scalar in header.unicodeScalars {
            if scalar == ",", !isQuoted {
                pieces.append(String(piece))
                piece = .init()
                continue
            }
            if isEscaped {
                isEscaped = false
            } else if scalar == "\\", isQuoted {
                isEscaped = true
            } else if scalar == "\"" {
                isQuoted.toggle()
            }
            piece.append(scalar)
        }
        return pieces + [String(piece)]
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
    }

    private static func isToken(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "!", "#", "$", "%", "&", "'", "*", "+", "-", ".", "^", "_", "`", "|", "~":
            true
        default: false
        }
    }

    private static func isQuotable(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\t" || scalar.value >= 0x20 && scalar.value <= 0x7E || scalar.value >= 0x80 && scalar.value <= 0xFF
    }

    private static func trimmed(_ scalars: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        var scalars = scalars.drop(while: isSpace)
        while let last = scalars.last, isSpace(last) { scalars.removeLast() }
        return scalars
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    private static func lowercased(_ scalars: ArraySlice<Unicode.Scalar>) -> String { string(scalars).lowercased() }
}

extension MIMEType: CustomStringConvertible {
    /// The serialisation of the standard.
    package var description: String {
        parameters.reduce(essence) { text, parameter in
            let value = parameter.value
            if !value.isEmpty, value.unicodeScalars.allSatisfy(Self.isToken) {
                return "\(text);\(parameter.name)=\(value)"
            }
            var quoted = String.UnicodeScalarView()
            for scalar in value.unicodeScalars {
                if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
                quoted.append(scalar)
            }
            return "\(text);\(parameter.name)=\"\(String(quoted))\""
        }
    }
}

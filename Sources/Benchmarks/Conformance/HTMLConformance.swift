internal import HTML
internal import JSONFormat

/// encodings.json, the character references of html5lib-tests and mime-types.json of web-platform-tests.
enum HTMLConformance {
    /// Tests every label in several spellings.
    static func encodings(_ document: JSONDocument) -> Conformance.Tally {
        var tally = Conformance.Tally()
        for group in document.elements(document.root) {
            for encoding in document.member("encodings", of: group).map(document.elements) ?? [] {
                let name = document.text(encoding, "name")
                for value in document.member("labels", of: encoding).map(document.elements) ?? [] {
                    let label = document.string(value) ?? ""
                    let found = [label, label.uppercased(), " \t\n\u{C}\r" + label + " "].map {
                        CharacterEncoding(label: $0)?.name
                    }
                    tally.count(found.allSatisfy { $0 == name }, "\(label): \(found)")
                }
            }
        }
        return tally
    }

    /// Tests about a text, or about the value of one attribute.
    static func characterReferences(_ document: JSONDocument) -> Conformance.Tally {
        var tally = Conformance.Tally()
        for test in document.member("tests", of: document.root).map(document.elements) ?? [] {
            let input = document.text(test, "input") ?? ""
            let outputs = document.member("output", of: test).map(document.elements) ?? []
            let (found, wanted): (String, String)
            if input.hasPrefix("<h a="), let output = outputs.first.map(document.elements), output.count == 3 {
                wanted = document.text(output[2], "a") ?? ""
                let value = input.dropFirst(5).dropLast()
                let isQuoted = value.first == "\"" || value.first == "'"
                found = CharacterReferences.decoded(
                    String(isQuoted ? value.dropFirst().dropLast() : value), in: .attribute)
            } else {
                wanted = outputs.map { document.elements($0).last.flatMap(document.string) ?? "" }.joined()
                found = CharacterReferences.decoded(input, in: .text)
            }
            tally.count(found.utf8.elementsEqual(wanted.utf8), "\(input): \(found) instead of \(wanted)")
        }
        return tally
    }

    static func mimeTypes(_ document: JSONDocument) -> Conformance.Tally {
        var tally = Conformance.Tally()
        for test in document.elements(document.root) where document.kind(test) == .object {
            let input = document.text(test, "input") ?? ""
            let type = MIMEType(input)
            var passes = type?.description == document.text(test, "output")
            if document.member("encoding", of: test) != nil {
                passes = passes && type?.charset?.name == document.text(test, "encoding")
            }
            tally.count(passes, "\(input.debugDescription): \(type?.description ?? "refused")")
        }
        return tally
    }
}

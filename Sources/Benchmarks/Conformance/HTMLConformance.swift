internal import HTML
internal import JSONFormat

/// encodings.json, and mime-types.json of web-platform-tests.
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

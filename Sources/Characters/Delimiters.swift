extension String {
    /// The characters, with punctuation, symbols and spaces of ASCII apart: a combining mark behind one of these is a
    /// character of its own, and does not hide it from a parser. Joined, they are the string.
    package var charactersApart: [Character] {
        var characters: [Character] = []
        characters.reserveCapacity(utf8.count)
        for character in self {
            let scalars = character.unicodeScalars
            guard let first = scalars.first, first.isDelimiter, character != "\r\n", scalars.count > 1 else {
                characters.append(character)
                continue
            }
            characters.append(Character(first))
            characters += Array(String(String.UnicodeScalarView(scalars.dropFirst())))
        }
        return characters
    }
}

extension Unicode.Scalar {
    fileprivate var isDelimiter: Bool {
        switch value {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: false
        default: isASCII
        }
    }
}

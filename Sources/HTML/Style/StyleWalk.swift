import Characters

/// Reads the references of a sheet, or of a list of declarations, and writes it again.
///
/// Which strings are URLs: CSS Values Level 4 (`url()`, `src()`), CSS Images Level 4 (`image-set()`, `image()`), CSS
/// Cascade Level 5 (`@import`).
struct StyleWalk {
    /// Where the result is written.
    enum Target {
        case file
        /// In a `style` element. No `<` may be followed by a byte that begins a tag, a comment or an end tag, so that
        /// the text reads the same as raw text and as markup.
        case element
        /// In an attribute, which escapes what it needs.
        case attribute
    }

    private enum Statement {
        case none, importing, fontFace
        /// An `@import` after a rule, which browsers ignore.
        case misplacedImport
        /// Conditions and names: its URLs are not fetched.
        case ignoring
    }

    private enum Function {
        case url, imageSet, other
    }

    private let resolver: ReferenceResolver
    private let target: Target
    private let offset: Int
    /// The prefix for names of fragments in an element from another document.
    private let idPrefix: [UInt8]
    private var tokens: CSSTokenizer
    private var output: [UInt8] = []
    private var isChanged = false

    private var statement = Statement.none
    /// Whether an import is still valid here: only before all rules.
    private var mayImport = true
    private var functions: [Function] = []
    /// The number of open functions beyond those in `functions`.
    private var uncounted = 0
    private var depth = 0
    /// Whether only white space has been read so far.
    private var isAtStart = true
    private var fontFaceDepth: Int?
    private var expectsName = true
    private var nameStart = 0
    private var nameEnd = 0
    private var isMask: Bool
    /// Whether a square bracket was the last token.
    private var isInBracket = false

    /// - Parameters:
    ///   - isMask: whether a value without a property belongs to a mask.
    ///   - offset: the place that all references report. `nil` for their own places in the sheet.
    /// - Returns: `nil` if nothing changed.
    static func rewritten(
        _ bytes: UnsafeBufferPointer<UInt8>, _ resolver: ReferenceResolver, for target: Target, offset: Int,
        isMask: Bool = false, idPrefix: [UInt8] = []
    ) -> [UInt8]? {
        var walk = StyleWalk(bytes, resolver, target, offset, isMask, idPrefix)
        walk.run()
        return walk.isChanged ? walk.output : nil
    }

    private init(
        _ bytes: UnsafeBufferPointer<UInt8>, _ resolver: ReferenceResolver, _ target: Target, _ offset: Int,
        _ isMask: Bool, _ idPrefix: [UInt8]
    ) {
        self.resolver = resolver
        self.target = target
        self.offset = offset
        self.isMask = isMask
        self.idPrefix = idPrefix
        tokens = CSSTokenizer(bytes)
        output.reserveCapacity(bytes.count + 64)
    }

    private mutating func run() {
        while tokens.next() {
            defer {
                if tokens.kind != .space { isAtStart = false }
                if tokens.kind != .space, tokens.kind != .comment {
                    isInBracket = tokens.kind == .open && tokens.bytes[tokens.start] == 0x5B
                }
            }
            switch tokens.kind {
            case .space, .comment: copy()
            case .openMark:
                if target == .element { drop() } else { copy() }
            case .closeMark: copy()
            case .atKeyword: beginStatement()
            case .semicolon:
                copy()
                statement = .none
                functions.removeAll()
                uncounted = 0
                expectsName = true
                isMask = false
            case .openCurly: openBlock()
            case .closeCurly: closeBlock()
            case .identifier:
                if expectsName { (nameStart, nameEnd) = (tokens.start, tokens.end) }
                if depth == 0, statement == .none, target != .attribute { mayImport = false }
                if isInBracket, target != .attribute,
                    let name = resolver.spellings.name(inSelector: tokens.bytes, tokens.start, tokens.end)
                {
                    isChanged = true
                    name.withUTF8Buffer { output += $0 }
                } else {
                    copy()
                }
            case .colon:
                if expectsName, nameEnd > nameStart { isMask = Self.isMask(tokens.bytes, nameStart, nameEnd) }
                expectsName = false
                if !state(), !indeterminate() { copy() }
            case .function:
                expectsName = false
                push(function())
                copy()
            case .open:
                expectsName = false
                push(.other)
                copy()
            case .close:
                if uncounted > 0 { uncounted -= 1 } else { _ = functions.popLast() }
                copy()
            case .string: string()
            case .url: reference(isString: false)
            default:
                expectsName = false
                if depth == 0, statement == .none { mayImport = false }
                copy()
            }
        }
    }

    // MARK: Structure

    private mutating func beginStatement() {
        let bytes = tokens.bytes
        let (start, end) = (tokens.innerStart, tokens.innerEnd)
        expectsName = false
        if CSSText.equals("charset", bytes, start, end), isAtStart {
            // The sheet is UTF-8 now, whatever it declares.
            drop()
            while tokens.next(), tokens.kind != .semicolon, tokens.kind != .openCurly { drop() }
            if tokens.kind == .openCurly { openBlock() }
            return
        }
        if CSSText.equals("import", bytes, start, end) {
            statement = depth == 0 && mayImport ? .importing : .misplacedImport
        } else if CSSText.equals("font-face", bytes, start, end) {
            statement = .fontFace
        } else {
            statement = .ignoring
            if CSSText.equals("namespace", bytes, start, end) || !CSSText.equals("layer", bytes, start, end) {
                mayImport = false
            }
        }
        copy()
    }

    private mutating func openBlock() {
        copy()
        depth += 1
        if statement == .fontFace, fontFaceDepth == nil { fontFaceDepth = depth }
        mayImport = false
        statement = .none
        functions.removeAll()
        uncounted = 0
        expectsName = true
        isMask = false
    }

    private mutating func closeBlock() {
        copy()
        if fontFaceDepth == depth { fontFaceDepth = nil }
        if depth > 0 { depth -= 1 }
        statement = .none
        functions.removeAll()
        uncounted = 0
        expectsName = true
        isMask = false
    }

    private mutating func push(_ function: Function) {
        if functions.count < 64 { functions.append(function) } else { uncounted += 1 }
    }

    private func function() -> Function {
        let bytes = tokens.bytes
        let (start, end) = (tokens.innerStart, tokens.innerEnd)
        for name in ["url", "src"] as [StaticString] where CSSText.equals(name, bytes, start, end) { return .url }
        for name in ["image-set", "-webkit-image-set", "image"] as [StaticString]
        where CSSText.equals(name, bytes, start, end) { return .imageSet }
        return .other
    }

    /// Properties whose images browsers do not load from another file in a `file:` page, and custom properties, which
    /// may be used for such images.
    private static func isMask(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
        let name = CSSText.decoded(bytes, start, end).map(\.lowercased)
        if name.starts(with: "--".utf8) || name.starts(with: "mask".utf8) { return true }
        if name.starts(with: "-webkit-mask".utf8) { return true }
        return ["shape-outside", "clip-path", "-webkit-clip-path", "filter", "backdrop-filter"].contains {
            name.elementsEqual($0.utf8)
        }
    }

    /// Writes `:state(name)`, which asks a custom element's script, as a selector by the attribute that keeps the element's
    /// states. Both count the same in the cascade.
    ///
    /// - Returns: false if the colon is not followed by `state(name)`.
    private mutating func state() -> Bool {
        guard target != .attribute, let (name, end) = tokens.stateName() else { return false }
        tokens = end
        isChanged = true
        output += "[data-sbfs-state~=".utf8
        CSSText.appendString(name, to: &output)
        output.append(0x5D)
        return true
    }

    /// Writes `:indeterminate` as a selector that also matches check boxes which a script made so.
    ///
    /// - Returns: false if the colon is not followed by that name, or is in a declaration.
    private mutating func indeterminate() -> Bool {
        guard target != .attribute, tokens.isBefore("indeterminate"),
            tokens.start == 0 || tokens.bytes[tokens.start - 1] != 0x3A
        else { return false }
        var ahead = tokens
        _ = ahead.next()
        let name = ahead
        // The block of a selector that is longer is not looked for, so that time stays linear.
        while ahead.end < name.end + 4096, ahead.next(), ![.openCurly, .closeCurly, .semicolon].contains(ahead.kind) {}
        guard ahead.kind == .openCurly else { return false }
        tokens = name
        isChanged = true
        output += ":is(:indeterminate, [data-sbfs-indeterminate])".utf8
        return true
    }

    // MARK: References

    private mutating func string() {
        expectsName = false
        if statement == .importing || statement == .misplacedImport, functions.isEmpty {
            return reference(isString: true)
        }
        if uncounted == 0, let function = functions.last, function != .other { return reference(isString: true) }
        copy()
    }

    private mutating func reference(isString: Bool) {
        expectsName = false
        let kind: PageReference.Kind
        switch statement {
        case .importing:
            kind = .importedStyleSheet
            // The rest is conditions.
            statement = .ignoring
        case .ignoring: return copy()
        case .misplacedImport:
            statement = .ignoring
            return write(Self.emptySheet, isString)
        case .none, .fontFace: kind = fontFaceDepth != nil ? .font : isMask ? .mask : .image
        }
        let value = CSSText.decoded(tokens.bytes, tokens.innerStart, tokens.innerEnd)
        switch resolver.answer(to: value, kind, .style, offset: offset >= 0 ? offset : tokens.start) {
        case .keep:
            if !idPrefix.isEmpty, value.first == 0x23 { return write([0x23] + idPrefix + value.dropFirst(), isString) }
            copy()
        case .value(let url): write(url, isString)
        case .sprite, .missing:
            write(kind == .importedStyleSheet ? Self.emptySheet : Self.nothing, isString)
        }
    }

    private static let nothing = Array("data:,".utf8)
    private static let emptySheet = Array("data:text/css,".utf8)

    private mutating func write(_ value: [UInt8], _ isString: Bool) {
        isChanged = true
        if !isString { output += "url(".utf8 }
        CSSText.appendString(value, to: &output)
        if !isString { output.append(0x29) }
    }

    // MARK: Output

    private mutating func drop() { isChanged = true }

    private mutating func copy() {
        let bytes = tokens.bytes
        let span = tokens.start..<tokens.end
        guard target == .element, bytes[span].contains(0x3C) else {
            output += bytes[span]
            return
        }
        if tokens.kind == .comment {
            isChanged = true
            output += "/**/".utf8
        } else if tokens.kind == .delimiter {
            output.append(0x3C)
            if let next = span.upperBound < bytes.count ? bytes[span.upperBound] : nil,
                next == 0x20 || next == 0x3D || next.isDigit
            {
                return
            }
            isChanged = true
            output.append(0x20)
        } else {
            escapeLessThan(span)
        }
    }

    private mutating func escapeLessThan(_ span: Range<Int>) {
        isChanged = true
        var place = span.lowerBound
        while place < span.upperBound {
            let byte = tokens.bytes[place]
            place += 1
            if byte == 0x5C, place < span.upperBound {
                let next = tokens.bytes[place]
                place += 1
                if next == 0x3C { output += "\\3c ".utf8 } else { output += [byte, next] }
            } else if byte == 0x3C {
                output += "\\3c ".utf8
            } else {
                output.append(byte)
            }
        }
    }
}

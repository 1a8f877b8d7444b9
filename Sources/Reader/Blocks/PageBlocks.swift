import Characters
internal import HTML

/// The text of a page as a sequence of blocks: runs of text that no block-level tag and no double `br` interrupts.
///
/// Text that is never shown (scripts, styles, choices of a form) is in no block. Text in `noscript` is, because some
/// pages have all of theirs there. One pass over the nodes and the bytes of the text.
struct PageBlocks {
    struct Block {
        /// Its first text node, and the index after its last one.
        var first: Int32
        var end: Int32
        /// The innermost block-level element around it.
        var owner: Int32
        /// Words. A character of a script without spaces is half a word.
        var words: Float = 0
        var linkWords: Float = 0
        var boldWords: Float = 0
        /// Words that begin with a capital letter of ASCII.
        var capitalWords: Float = 0
        /// Words of the title.
        var titleWords: Float = 0
        var characters: Int32 = 0
        var digits: Int32 = 0
        var commas: Int32 = 0
        var links: Int32 = 0
        var breaks: Int32 = 0
        /// Ends of sentences.
        var stops: Int32 = 0
        var marks: Marks = []
        var lastByte: UInt8 = 0
        /// Equal for blocks with the same words.
        var hash: UInt64 = 0
    }

    struct Marks: OptionSet {
        let rawValue: UInt8
        static let year = Marks(rawValue: 1 << 0)
        static let currency = Marks(rawValue: 1 << 1)
        static let copyright = Marks(rawValue: 1 << 2)
        static let separator = Marks(rawValue: 1 << 3)
        static let address = Marks(rawValue: 1 << 4)
    }

    private(set) var blocks: [Block] = []
    /// The number of blocks that begin before a node. There is one entry more than there are nodes.
    private(set) var before: [Int32] = []

    /// - Parameter title: the title of the page, for the words that a block shares with it.
    init(_ tree: borrowing PageTree, title: String?) {
        before.reserveCapacity(tree.nodes.count + 1)
        blocks.reserveCapacity(tree.nodes.count / 8)
        let titleWords = Self.words(of: title ?? "")
        let traits = Tag.traits
        /// Open block-level elements.
        var open: [(end: Int32, node: Int32)] = []
        var linkEnd: Int32 = 0
        var boldEnd: Int32 = 0
        var skipEnd: Int32 = 0
        var isOpen = false
        var breaks = 0
        let nodes = tree.nodes
        tree.text.withUnsafeBufferPointer { bytes in
            for index in nodes.indices {
                while let last = open.last, last.end <= Int32(index) {
                    open.removeLast()
                    isOpen = false
                }
                before.append(Int32(blocks.count))
                if Int32(index) < skipEnd { continue }
                let node = nodes[index]
                switch node.tag {
                case .text:
                    let isBlank = Self.isBlank(bytes, Int(node.start), Int(node.stop))
                    if isBlank, !isOpen { continue }
                    if !isOpen || breaks > 1 {
                        if isBlank { continue }
                        blocks.append(Block(first: Int32(index), end: Int32(index), owner: open.last?.node ?? 0))
                        isOpen = true
                    }
                    blocks[blocks.count - 1].end = Int32(index + 1)
                    if isBlank { continue }
                    blocks[blocks.count - 1].breaks += Int32(breaks)
                    breaks = 0
                    blocks[blocks.count - 1].add(
                        bytes, Int(node.start), Int(node.stop), inLink: Int32(index) < linkEnd,
                        inBold: Int32(index) < boldEnd, titleWords)
                    continue
                case .br: breaks += 1
                case .a:
                    linkEnd = max(linkEnd, node.end)
                    if isOpen { blocks[blocks.count - 1].links += 1 }
                case .b, .strong: boldEnd = max(boldEnd, node.end)
                case .noscript: isOpen = false
                case .button, .label:
                    open.append((node.end, Int32(index)))
                    isOpen = false
                default:
                    let trait = traits[Int(node.tag.rawValue)]
                    if trait.contains(.unrendered) && node.tag != .head || node.tag.isReading {
                        skipEnd = node.end
                    } else if trait.contains(.block) {
                        open.append((node.end, Int32(index)))
                        isOpen = false
                    }
                }
                if !isOpen { breaks = 0 }
            }
        }
        before.append(Int32(blocks.count))
    }

    private static func isBlank(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ stop: Int) -> Bool {
        for at in start..<stop where !bytes[at].isHTMLSpace {
            // A no-break space.
            if bytes[at] == 0xC2, at + 1 < stop, bytes[at + 1] == 0xA0 { continue }
            if bytes[at] == 0xA0, at > start, bytes[at - 1] == 0xC2 { continue }
            return false
        }
        return true
    }

    /// The hashes of the words of a text.
    static func words(of text: String) -> Set<UInt64> {
        var words: Set<UInt64> = []
        var hash = Block.emptyWord
        for byte in Array(text.utf8.prefix(1000)) + [0x20] {
            if Block.isWordByte(byte) {
                hash = Block.mixed(hash, byte.lowercased)
            } else if hash != Block.emptyWord {
                words.insert(hash)
                hash = Block.emptyWord
            }
        }
        return words
    }
}

extension PageTree {
    /// The text of a block; a `br` is a space.
    func text(of block: PageBlocks.Block) -> [UInt8] {
        var text: [UInt8] = []
        var index = Int(block.first)
        while index < Int(block.end) {
            let tag = nodes[index].tag
            if tag == .text {
                text += bytes(index)
            } else if tag == .br {
                text.append(0x20)
            } else if tag.isReading || Tag.traits[Int(tag.rawValue)].contains(.unrendered) {
                index = Int(nodes[index].end)
                continue
            }
            index += 1
        }
        return text
    }
}

extension PageBlocks.Block {
    static let emptyWord: UInt64 = 0xCBF2_9CE4_8422_2325

    @inline(__always)
    static func mixed(_ hash: UInt64, _ byte: UInt8) -> UInt64 { (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }

    @inline(__always)
    static func isWordByte(_ byte: UInt8) -> Bool { byte.isLetter || byte.isDigit || byte >= 0x80 || byte == 0x27 }

    /// Adds what a text node says.
    fileprivate mutating func add(
        _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ stop: Int, inLink: Bool, inBold: Bool,
        _ titleWords: borrowing Set<UInt64>
    ) {
        var word = Self.emptyWord
        var wide: Int32 = 0
        var count: Float = 0
        var digitRun = 0
        var firstDigit: UInt8 = 0
        var at = start
        while at < stop {
            let byte = bytes[at]
            if Self.isWordByte(byte) {
                if byte & 0xC0 != 0x80 { characters &+= 1 }
                if byte >= 0xE2 {
                    if byte >= 0xE3, byte < 0xF0 { wide &+= 1 }
                    noteSign(bytes, at, stop)
                } else if byte == 0xC2, at + 1 < stop {
                    if bytes[at + 1] == 0xA9 { marks.insert(.copyright) }
                    if bytes[at + 1] == 0xA3 || bytes[at + 1] == 0xA5 { marks.insert(.currency) }
                    if bytes[at + 1] == 0xBB || bytes[at + 1] == 0xB7 { marks.insert(.separator) }
                }
                if word == Self.emptyWord, byte >= 0x41, byte <= 0x5A { capitalWords += 1 }
                word = Self.mixed(word, byte.lowercased)
                if byte.isDigit {
                    if digitRun == 0 { firstDigit = byte }
                    digitRun += 1
                    digits &+= 1
                } else {
                    digitRun = 0
                }
            } else {
                if word != Self.emptyWord {
                    endWord(word, &count, titleWords)
                    word = Self.emptyWord
                }
                if digitRun == 4, firstDigit == 0x31 || firstDigit == 0x32 { marks.insert(.year) }
                digitRun = 0
                if byte > 0x20 { characters &+= 1 }
                switch byte {
                case UInt8(ascii: ","): commas &+= 1
                case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"):
                    if at + 1 >= stop || bytes[at + 1] <= 0x22 { stops &+= 1 }
                case UInt8(ascii: "$"): marks.insert(.currency)
                case UInt8(ascii: "|"), UInt8(ascii: "/"), UInt8(ascii: ">"): marks.insert(.separator)
                case UInt8(ascii: "@"): marks.insert(.address)
                default: break
                }
            }
            if byte > 0x20 { lastByte = byte }
            at += 1
        }
        if word != Self.emptyWord { endWord(word, &count, titleWords) }
        if digitRun == 4, firstDigit == 0x31 || firstDigit == 0x32 { marks.insert(.year) }
        count += Float(wide) / 2
        words += count
        if inLink { linkWords += count }
        if inBold { boldWords += count }
    }

    @inline(__always)
    private mutating func endWord(_ word: UInt64, _ count: inout Float, _ known: borrowing Set<UInt64>) {
        count += 1
        if known.contains(word) { self.titleWords += 1 }
        hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
    }

    /// Ideographic and Indic ends of sentences, commas, and the euro.
    private mutating func noteSign(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int, _ stop: Int) {
        guard at + 2 < stop else { return }
        let scalar = UInt32(bytes[at] & 0x0F) << 12 | UInt32(bytes[at + 1] & 0x3F) << 6 | UInt32(bytes[at + 2] & 0x3F)
        switch scalar {
        case 0x3002, 0xFF01, 0xFF1F, 0xFF0E: stops &+= 1
        case 0x3001, 0xFF0C: commas &+= 1
        case 0x20AC, 0x20B9, 0x20BD: marks.insert(.currency)
        case 0x203A, 0x2022, 0x2192: marks.insert(.separator)
        default: break
        }
    }
}

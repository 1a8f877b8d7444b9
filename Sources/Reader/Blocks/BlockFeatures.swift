import Characters
internal import HTML

/// What the model knows about each block of a page: numbers about its text, the elements around it, their repetition,
/// its neighbours and the page.
///
/// The numbers of one block are made, used and forgotten, so that memory does not grow with their count.
struct BlockFeatures {
    let tree: PageTree
    let hints: [Hints]
    let blocks: PageBlocks
    let sums: BlockSums
    let groups: ElementGroups
    let main: MainElement
    private let page: [Float]
    fileprivate let pathMembers: [UInt64: Group]
    fileprivate let tagPathMembers: [UInt64: Group]
    let copies: BlockCopies
    /// Whether the rules keep a text node, and whether it is in their main element.
    let rules: RuleMarks
    /// What the rules alone would choose.
    let ruled: Content

    fileprivate struct Group {
        var blocks: Float = 0
        var words: Float = 0
        var linkWords: Float = 0
    }

    /// - Parameter page: numbers about the whole page, the same for each block.
    init(_ tree: PageTree, _ hints: [Hints], title: String?, page: [Float], rules: Content) {
        self.tree = tree
        self.hints = hints
        ruled = rules
        self.rules = RuleMarks(rules)
        blocks = PageBlocks(tree, title: title)
        sums = BlockSums(blocks, tree)
        groups = ElementGroups(tree, sums)
        main = MainElement(tree, blocks, sums, groups)
        var paths: [UInt64: Group] = [:]
        var tagPaths: [UInt64: Group] = [:]
        for block in blocks.blocks {
            paths[groups.path[Int(block.owner)], default: Group()].add(block)
            tagPaths[groups.tagPath[Int(block.owner)], default: Group()].add(block)
        }
        pathMembers = paths
        tagPathMembers = tagPaths
        copies = BlockCopies(blocks)
        let all = sums.mass(0..<blocks.blocks.count)
        let mostInPath = paths.values.map(\.words).max() ?? 0
        let mostOwn = paths.values.map { $0.words - $0.linkWords }.max() ?? 0
        var counts: [Tag: Float] = [:]
        var landmarkWords: Float = 0
        for index in tree.nodes.indices {
            switch tree.nodes[index].tag {
            case .article: counts[.article, default: 0] += 1
            case .main: landmarkWords = max(landmarkWords, sums.words(of: index))
            case .form: counts[.form, default: 0] += 1
            case .img: counts[.img, default: 0] += 1
            case .table: counts[.table, default: 0] += 1
            case .pre: counts[.pre, default: 0] += 1
            case .h1: counts[.h1, default: 0] += 1
            case .h2, .h3: counts[.h2, default: 0] += 1
            case .time: counts[.time, default: 0] += 1
            default: break
            }
        }
        let top = sums.mass(main.top)
        let keptByRules = self.rules.sums(blocks)
        self.page =
            page + [
                all.words, all.blocks, all.linkDensity, all.longShare, all.longBlocks, mostInPath / max(1, all.words),
                mostOwn / max(1, all.words), landmarkWords / max(1, all.words), top.words / max(1, all.words),
                top.longShare, sums.words(of: main.common) / max(1, all.words), counts[.article] ?? 0,
                counts[.form] ?? 0, (counts[.img] ?? 0) / max(1, all.blocks), counts[.table] ?? 0, counts[.pre] ?? 0,
                counts[.h1] ?? 0, (counts[.h2] ?? 0) / max(1, all.blocks), counts[.time] ?? 0,
                keptByRules.words, keptByRules.words / max(1, all.words),
                keptByRules.longWords / max(1, keptByRules.words), keptByRules.proseWords,
                copies.repeatedWords / max(1, all.words),
            ]
    }

    /// The elements that mark off parts of a page, in the order of their features.
    private static let landmarks: [Tag] = [
        .nav, .header, .footer, .aside, .main, .article, .form, .table, .ul, .ol, .dl, .figure, .button, .noscript,
        .dialog, .pre, .details, .section, .blockquote, .label,
    ]

    private static let hintCount = 26

    /// The state of the walk: what stands around the current node.
    fileprivate struct Around {
        var landmarkEnds = [Int32](repeating: 0, count: landmarks.count)
        var landmarkNodes = [Int32](repeating: -1, count: landmarks.count)
        /// The innermost element with each hint.
        var hinted = [Int32](repeating: -1, count: hintCount)
        /// What to restore at the ends of elements.
        var restore: [(end: Int32, hint: Int, previous: Int32)] = []
        var headingEnd: Int32 = 0
        var headingLevel: Float = 0
        /// The last heading before a block.
        var lastHeading: (block: Int, level: Float)?
    }

    /// Calls the function with each block's number and features, in document order.
    func forEach(_ body: (Int, UnsafeBufferPointer<Float>) -> Void) {
        var around = Around()
        var landmarkOf = [Int8](repeating: -1, count: Tag.allCases.count)
        for (place, tag) in Self.landmarks.enumerated() { landmarkOf[Int(tag.rawValue)] = Int8(place) }
        var next = 0
        var row: [Float] = []
        row.reserveCapacity(256)
        let all = blocks.blocks
        for index in tree.nodes.indices {
            if next == all.count { break }
            while let last = around.restore.last, last.end <= Int32(index) {
                around.hinted[last.hint] = last.previous
                around.restore.removeLast()
            }
            let node = tree.nodes[index]
            if node.tag != .text {
                let landmark = Int(landmarkOf[Int(node.tag.rawValue)])
                if landmark >= 0 {
                    around.landmarkEnds[landmark] = max(around.landmarkEnds[landmark], node.end)
                    around.landmarkNodes[landmark] = Int32(index)
                }
                switch node.tag {
                case .h1: around.beginHeading(1, node.end)
                case .h2: around.beginHeading(2, node.end)
                case .h3: around.beginHeading(3, node.end)
                case .h4: around.beginHeading(4, node.end)
                case .h5: around.beginHeading(5, node.end)
                case .h6: around.beginHeading(6, node.end)
                default: break
                }
                var found = hints[index].subtracting(.notice).rawValue
                while found != 0 {
                    let hint = found.trailingZeroBitCount
                    found &= found - 1
                    around.restore.append((node.end, hint, around.hinted[hint]))
                    around.hinted[hint] = Int32(index)
                }
                continue
            }
            guard Int(all[next].first) == index else { continue }
            row.removeAll(keepingCapacity: true)
            addOwn(next, index, around, &row)
            addAround(next, index, around, &row)
            addNeighbours(next, &row)
            row += page
            row.withUnsafeBufferPointer { body(next, $0) }
            if Int32(index) < around.headingEnd { around.lastHeading = (next, around.headingLevel) }
            next += 1
        }
    }

    // MARK: The block itself

    private func addOwn(_ number: Int, _ index: Int, _ around: Around, _ row: inout [Float]) {
        let block = blocks.blocks[number]
        let words = max(1, block.words)
        let total = max(1, sums.words[blocks.blocks.count])
        row.append(block.words)
        row.append(block.linkWords / words)
        row.append(Float(block.characters) / words)
        row.append(Float(block.commas))
        row.append(Float(block.stops))
        row.append(Self.ending(block.lastByte))
        row.append(block.capitalWords / words)
        row.append(Float(block.digits) / Float(max(1, block.characters)))
        row.append(Float(block.marks.rawValue))
        row.append(block.boldWords / words)
        row.append(Float(block.links))
        row.append(Float(block.breaks))
        row.append(block.titleWords / words)
        row.append(block.titleWords)
        row.append(copies.all[number])
        row.append(copies.earlier[number])
        row.append(Float(number) / Float(blocks.blocks.count))
        row.append(sums.words[number] / total)
        row.append(Float(Self.code(tree.nodes[Int(block.owner)].tag)))
        row.append(Int32(index) < around.headingEnd ? around.headingLevel : 0)
        row.append(Float(groups.depth[Int(block.owner)]))
        if let heading = around.lastHeading {
            row.append(Float(number - heading.block))
            row.append(heading.level)
            row.append(sums.words[number] - sums.words[heading.block + 1])
        } else {
            row += [-1, 0, -1]
        }
        if let heading = main.headingBlock {
            row.append(Float(number - heading))
            row.append((sums.words[number] - sums.words[heading]) / total)
        } else {
            row += [-9999, -2]
        }
        let path = pathMembers[groups.path[Int(block.owner)]] ?? Group()
        row.append(path.blocks)
        row.append(path.words / total)
        row.append(path.words / max(1, path.blocks))
        row.append(path.linkWords / max(1, path.words))
        let tags = tagPathMembers[groups.tagPath[Int(block.owner)]] ?? Group()
        row.append(tags.blocks)
        row.append(tags.words / total)
        row.append(tags.linkWords / max(1, tags.words))
        row.append(rules.isKept[index] ? 1 : 0)
        row.append(rules.isInside[index] ? 1 : 0)
    }

    private static func ending(_ byte: UInt8) -> Float {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "!"), 0x82: 3
        case UInt8(ascii: "?"): 2
        case UInt8(ascii: ":"): 1
        case UInt8(ascii: ","), UInt8(ascii: ";"): 4
        case UInt8(ascii: ")"), UInt8(ascii: "]"): 5
        case UInt8(ascii: "\""), 0x9D: 6
        case 0x30...0x39: -1
        case 0x80...: -2
        default: 0
        }
    }

    /// Tags in an order in which near ones are alike.
    private static func code(_ tag: Tag) -> Int {
        switch tag {
        case .p: 10
        case .blockquote: 9
        case .pre, .xmp, .plaintext: 8
        case .dd: 7
        case .dt: 6
        case .li: 5
        case .td: 4
        case .th: 3
        case .figcaption, .caption: 2
        case .summary, .details: 1
        case .h1, .h2, .h3, .h4, .h5, .h6: 11
        case .article, .main: 12
        case .section: 13
        case .div: 0
        case .button: -1
        case .label, .legend: -2
        case .header, .footer: -3
        default: -4
        }
    }

    // MARK: What is around it

    private func addAround(_ number: Int, _ index: Int, _ around: Around, _ row: inout [Float]) {
        let block = blocks.blocks[number]
        let total = max(1, sums.words[blocks.blocks.count])
        var node = Int(block.owner)
        var most: Int32 = 0
        for level in 0..<5 {
            if node < 0 {
                row += [-1, -1, -1, -1, -1, -1, -1]
                continue
            }
            let range = sums.range(node)
            let mass = sums.mass(range)
            row.append(mass.words)
            row.append(mass.linkDensity)
            row.append(mass.longShare)
            row.append(mass.blocks)
            row.append(Float(groups.repetition[node]))
            row.append(mass.words / total)
            row.append(
                level == 0 ? mass.links / max(1, mass.blocks) : Float(number - range.lowerBound) / max(1, mass.blocks))
            most = max(most, groups.repetition[node])
            node = Int(groups.outer[node])
        }
        // The largest group that repeats.
        var repeated = (count: Float(0), words: Float(0), density: Float(0))
        node = Int(block.owner)
        var steps = 0
        while node >= 0, steps < 12 {
            if groups.repetition[node] >= 3 {
                let mass = sums.mass(node)
                repeated = (Float(groups.repetition[node]), mass.words, mass.linkDensity)
            }
            node = Int(groups.outer[node])
            steps += 1
        }
        row += [Float(most), repeated.count, repeated.words, repeated.density, repeated.words * repeated.count / total]
        for place in Self.landmarks.indices {
            if Int32(index) < around.landmarkEnds[place] {
                row.append(sums.words(of: Int(around.landmarkNodes[place])) / total)
            } else {
                row.append(-1)
            }
        }
        for hint in around.hinted { row.append(hint < 0 ? -1 : sums.words(of: Int(hint)) / total) }
        row.append(main.top <= index && index < Int(tree.nodes[main.top].end) ? 1 : 0)
        row.append(main.common <= index && index < Int(tree.nodes[main.common].end) ? 1 : 0)
        let top = sums.range(main.top)
        row.append(
            number < top.lowerBound ? Float(number - top.lowerBound) : Float(max(0, number - top.upperBound + 1)))
    }

    // MARK: Neighbours

    private func addNeighbours(_ number: Int, _ row: inout [Float]) {
        let all = blocks.blocks
        for offset in [-3, -2, -1, 1, 2, 3] {
            let other = number + offset
            guard all.indices.contains(other) else {
                row += [-1, -1, -1, -1]
                continue
            }
            let block = all[other]
            row.append(block.words)
            row.append(block.linkWords / max(1, block.words))
            row.append(Float(Self.code(tree.nodes[Int(block.owner)].tag)))
            row.append(
                block.owner == all[number].owner
                    ? 2 : groups.path[Int(block.owner)] == groups.path[Int(all[number].owner)] ? 1 : 0)
        }
        for reach in [4, 10] {
            let before = sums.mass(max(0, number - reach)..<number)
            let after = sums.mass(number + 1..<min(all.count, number + 1 + reach))
            row += [before.words, before.longShare, after.words, after.longShare]
        }
    }
}

extension BlockFeatures.Group {
    fileprivate mutating func add(_ block: PageBlocks.Block) {
        blocks += 1
        words += block.words
        linkWords += block.linkWords
    }
}

extension BlockFeatures.Around {
    fileprivate mutating func beginHeading(_ level: Float, _ end: Int32) {
        headingEnd = max(headingEnd, end)
        headingLevel = level
    }
}

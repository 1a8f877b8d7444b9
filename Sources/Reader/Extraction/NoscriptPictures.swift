import Characters
internal import HTML

/// Pictures that only a `noscript` shows, because a script of the page would show them elsewhere.
enum NoscriptPictures {
    /// The `noscript` elements that contain only pictures which the page does not show elsewhere, and no counter of
    /// visits.
    static func shown(in tree: borrowing PageTree) -> [Int] {
        var elsewhere: Set<ArraySlice<UInt8>>?
        var shown: [Int] = []
        var index = 0
        while index < tree.nodes.count {
            guard tree.nodes[index].tag == .noscript else {
                index += 1
                continue
            }
            if let pictures = pictures(in: index, tree) {
                let others = elsewhere ?? sources(outsideOfNoscript: tree)
                elsewhere = others
                if !pictures.contains(where: others.contains) { shown.append(index) }
            }
            index = Int(tree.nodes[index].end)
        }
        return shown
    }

    /// The addresses of the pictures, or `nil` if there are none or there is other content.
    private static func pictures(in noscript: Int, _ tree: borrowing PageTree) -> [ArraySlice<UInt8>]? {
        var found: [ArraySlice<UInt8>] = []
        for index in noscript + 1..<max(noscript + 1, Int(tree.nodes[noscript].end)) {
            switch tree.nodes[index].tag {
            case .text: if tree.bytes(index).contains(where: { !$0.isHTMLSpace }) { return nil }
            case .img:
                guard let source = tree.value(index, .src), !isCounter(index, tree) else { return nil }
                found.append(source)
            case let tag: if !LonePicture.mayStand(in: tag) { return nil }
            }
        }
        return found.isEmpty ? nil : found
    }

    private static func isCounter(_ image: Int, _ tree: borrowing PageTree) -> Bool {
        let width = tree.value(image, .width)
        let height = tree.value(image, .height)
        return LonePicture.isCounter(sizes: [width, height].compactMap { $0 }, style: tree.value(image, .style))
    }

    private static func sources(outsideOfNoscript tree: borrowing PageTree) -> Set<ArraySlice<UInt8>> {
        var sources: Set<ArraySlice<UInt8>> = []
        var index = 0
        while index < tree.nodes.count {
            let node = tree.nodes[index]
            if node.tag == .img {
                for name in AttributeName.lateSources + [.src] {
                    if let source = tree.value(index, name) { sources.insert(source) }
                }
            }
            index = node.tag == .noscript ? Int(node.end) : index + 1
        }
        return sources
    }
}

internal import HTML

/// What stands for a picture in an article: an image, the poster of a video, a drawing.
enum Picture {
    static func isOne(_ node: Int, _ tree: borrowing PageTree) -> Bool {
        switch tree.nodes[node].tag {
        case .img, .ampImg: true
        case .video: tree.value(node, .poster)?.isEmpty == false
        case .svg: tree.drawings[Int32(node)] != nil || isNamedDrawing(node, tree)
        case .canvas: tree.drawings[Int32(node)] != nil
        default: false
        }
    }

    /// Icons have no role, or no name of three characters.
    private static func isNamedDrawing(_ node: Int, _ tree: borrowing PageTree) -> Bool {
        guard let role = tree.value(node, .role), role.elementsEqual("img".utf8) else { return false }
        return (tree.value(node, .ariaLabel)?.count ?? 0) > 2
    }
}

internal import HTML

/// Text that a page hides and that nothing can show: its element has no name by which a script would call it, and is no
/// panel of a tab.
///
/// Much hidden text is shown later: answers that unfold, pages that appear once their script ran.
enum HiddenText {
    /// Whether an element is hidden for good.
    static func isHidden(_ node: Int, _ tree: borrowing PageTree) -> Bool {
        let attribute = tree.value(node, .hidden)
        let isHidden =
            attribute.map { !$0.elementsEqual("until-found".utf8) } ?? false
            || tree.value(node, .style).map(InlineStyle.hides) ?? false
        return isHidden && tree.value(node, .id) == nil && tree.value(node, .class) == nil
            && !(tree.value(node, .role).map { $0.elementsEqual("tabpanel".utf8) } ?? false)
    }
}

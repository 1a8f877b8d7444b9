internal import HTML

/// Links that lead back to the beginning of the page: reader.html needs none.
enum BackToTop {
    private static let words: Set<String> = [
        "top", "back to top", "to top", "go to top", "return to top", "scroll to top", "nach oben", "zum seitenanfang",
        "haut de page", "retour en haut", "volver arriba", "torna su", "torna all'inizio", "naar boven",
        "voltar ao topo",
        "na górę", "do góry", "наверх", "к началу", "till toppen", "回到顶部", "返回顶部", "トップへ戻る", "ページの先頭へ",
        "ページトップへ", "맨 위로",
    ]

    /// Whether an `a` element is such a link. A lone arrow may also lead from a footnote back to the text.
    static func isOne(_ index: Int, in tree: PageTree) -> Bool {
        guard tree.nodes[index].tag == .a, let href = tree.string(index, .href), href.hasPrefix("#") else {
            return false
        }
        let text = String(decoding: tree.collapsedText(index, limit: 64), as: UTF8.self).lowercased()
        let bare = text.drop { !$0.isLetter }.reversed().drop { !$0.isLetter }.reversed()
        if bare.isEmpty { return (href == "#" || href == "#top") && !text.contains { $0.isNumber } }
        return words.contains(String(bare))
    }
}

internal import Characters
internal import HTML

/// A page of a forum, or of questions and answers.
struct Conversation {
    let tree: PageTree
    let hints: [Hints]
    let tags: MetaTags
    let data: StructuredData

    /// Who began it; `nil` if the page is no conversation, or does not say. Microdata say it best, then names of
    /// classes, then the first link to a profile: "last post by" has one, too.
    var opener: String? {
        guard isOne else { return nil }
        // Microdata may stand before the heading.
        return first(from: 0) { index in
            guard let property = tree.value(index, .itemprop), property.elementsEqual("author".utf8) else { return nil }
            return tree.nameProperty(index) ?? tree.plainText(index, limit: 80)
        } ?? first { index in
            hints[index].contains(.name) || isNamedForAuthors(index) ? shortText(index) : nil
        }
            ?? first { index in
                guard tree.nodes[index].tag == .a, let href = tree.string(index, .href)?.lowercased(),
                    Self.profiles.contains(where: { href.contains(text: $0) })
                else { return nil }
                return shortText(index)
            }
    }

    private func shortText(_ index: Int) -> String? {
        Int(tree.nodes[index].end) - index > 12 ? nil : tree.plainText(index, limit: 80)
    }

    /// The first name that the function takes from an element, behind the heading if no place is given.
    private func first(from start: Int? = nil, _ name: (Int) -> String?) -> String? {
        var index = start ?? tree.nodes.indices.first { tree.nodes[$0].tag == .h1 } ?? 0
        var triesLeft = 200
        while index < tree.nodes.count, triesLeft > 0 {
            let node = tree.nodes[index]
            if node.tag == .text {
                index += 1
                continue
            }
            if Tag.traits[Int(node.tag.rawValue)].contains(.unrendered) || node.tag == .nav || node.tag == .aside {
                index = Int(node.end)
                continue
            }
            if let name = name(index) {
                if !Self.isState(name), AuthorName.all(in: [name]).count == 1 { return name }
                triesLeft -= 1
            }
            index += 1
        }
        return nil
    }

    /// Whether a text is the letter of a picture that is missing, with whether the person is there: "J Offline".
    private static func isState(_ name: String) -> Bool {
        name.lowercased().hasSuffix(" offline") || name.lowercased().hasSuffix(" online")
    }

    private func isNamedForAuthors(_ index: Int) -> Bool {
        guard let names = tree.value(index, .class), names.count < 200 else { return false }
        var key = NameKey()
        for byte in names {
            if !byte.isHTMLSpace {
                key.append(byte.lowercased)
            } else {
                if Self.names.find(key) != nil { return true }
                key = NameKey()
            }
        }
        return Self.names.find(key) != nil
    }

    private static let names = NameTable(
        [
            "username", "bigusername", "postuser-name", "postauthor", "post-author", "message-name", "ipsusername",
            "creator", "topic-author", "poster", "author-name", "user-name", "nickname",
        ].map { ($0, 1) })
    private static let profiles = [
        "member.php", "/members/", "/member/", "/profile/", "/users/", "/user/", "/u/", "memberlist.php", "profile.php",
        "action=profile",
    ]

    private var isOne: Bool {
        if !data.types.isDisjoint(with: ["discussionforumposting", "qapage"]) { return true }
        let generator = (tags.first("generator") ?? "").lowercased()
        if Self.programs.contains(where: generator.hasPrefix) { return true }
        var userNames = 0
        for index in tree.nodes.indices where tree.nodes[index].tag != .text {
            if let type = tree.string(index, .itemtype),
                type.hasSuffix("/DiscussionForumPosting") || type.hasSuffix("/QAPage")
            {
                return true
            }
            if hints[index].contains(.name) || isNamedForAuthors(index) { userNames += 1 }
        }
        return userNames >= 3
    }

    private static let programs = [
        "discourse", "phpbb", "xenforo", "vbulletin", "flarum", "mybb", "simple machines", "nodebb", "vanilla",
        "fluxbb", "invision", "ips", "punbb", "smf",
    ]
}

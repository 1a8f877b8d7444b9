internal import HTML
internal import URLs

/// Films and sounds of other sites that a page shows in a frame. reader.html fetches nothing, so it links them.
enum EmbeddedMedia {
    private static let hosts: Set<String> = [
        "youtube.com", "youtube-nocookie.com", "player.vimeo.com", "dailymotion.com", "w.soundcloud.com",
        "open.spotify.com", "embed.podcasts.apple.com", "player.twitch.tv", "bandcamp.com", "archive.org",
    ]

    /// The address at which a person sees or hears what a frame shows; `nil` if it is no film and no sound.
    static func page(of frame: Int, _ tree: borrowing PageTree, _ links: LinkResolution) -> WebURL? {
        guard tree.nodes[frame].tag == .iframe else { return nil }
        for name in [AttributeName.src] + AttributeName.lateSources {
            guard let source = tree.value(frame, name), let url = links.url(source) else { continue }
            let host = url.hostText.hasPrefix("www.") ? String(url.hostText.dropFirst(4)) : url.hostText
            if hosts.contains(host) { return watched(url, host) }
        }
        return nil
    }

    /// YouTube's address of the film instead of that of its player.
    private static func watched(_ url: WebURL, _ host: String) -> WebURL {
        let parts = url.path.split(separator: "/")
        guard host.hasPrefix("youtube"), parts.count == 2, parts[0] == "embed", parts[1] != "videoseries",
            let film = WebURL("https://www.youtube.com/watch?v=\(parts[1])")
        else { return url }
        return film
    }
}

extension ReaderMarkup {
    /// Writes a line with a link to a film or sound.
    mutating func writeMedia(_ frame: Int, _ page: WebURL) {
        guard endInline(), kind == .flow || kind == .mixed else { return }
        let title = content.tree.value(frame, .title) ?? []
        bytes += "<p><a".utf8
        attribute("href", page.utf8[...])
        bytes.append(UInt8(ascii: ">"))
        if title.contains(where: { !$0.isHTMLSpace }), title.count < 300 {
            MarkupText.appendCollapsed(title, to: &bytes)
            bytes += " (".utf8 + MarkupText.escaped(page.hostText) + ")".utf8
        } else {
            bytes += MarkupText.escaped(page.hostText)
        }
        bytes += "</a></p>\n".utf8
    }
}

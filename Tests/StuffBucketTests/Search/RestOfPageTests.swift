import TestSupport
import Testing

@testable import StuffBucket

/// What a page shows besides its article.
struct RestOfPageTests {
    private static func rest(_ page: String, _ article: String) -> [String] {
        RestOfPage.passages(of: Array(page.utf8), without: Array(article.utf8))
            .map { String(decoding: $0, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    }

    private static let article = "One two three four five six seven eight nine ten"

    @Test(arguments: [
        ("", article, []), (article, article, []), ("menu \(article) foot", article, ["menu", "foot"]),
        ("One two\nthree   four\t five six seven\neight nine ten\n", article, []),
        // The same words elsewhere are not the article.
        ("two One \(article) ten nine", article, ["two One", "ten nine"]),
        // A word that the article lacks divides it.
        ("One two three four five six [edit] seven eight nine ten", article, ["[edit] seven eight nine ten"]),
        ("One two three four five [edit] six seven eight nine ten", article, ["[edit]"]),
        // Fewer words than a sequence has are not looked for.
        ("One two three", "One two three", ["One two three"]), ("all of it", "", ["all of it"]),
        // A character of a script without spaces counts as a word.
        ("目次 川の石は丸い。 脚注", "川の石は丸い。", ["目次", "脚注"]), ("石は川の", "川の石は丸い。", ["石は川の"]),
    ])
    func `the rest is what no sequence of the article covers`(page: String, article: String, rest: [String]) {
        #expect(Self.rest(page, article) == rest)
    }

    /// By the definition, slowly: every sequence of five words is looked for in the article.
    private static func covered(_ page: [String], _ article: [String]) -> [Bool] {
        var covered = page.map { _ in false }
        for start in page.indices where start + 5 <= page.count {
            let wanted = Array(page[start..<start + 5])
            if article.indices.contains(where: { $0 + 5 <= article.count && Array(article[$0..<$0 + 5]) == wanted }) {
                for place in start..<start + 5 { covered[place] = true }
            }
        }
        return covered
    }

    @Test func `passages are those of the definition`() {
        var generator = SeededGenerator(seed: 3)
        var passageCount = 0
        for _ in 0..<400 {
            func words(_ count: Int) -> [String] {
                (0..<count).map { _ in ["a", "bb", "ccc", "é"].randomElement(using: &generator) ?? "a" }
            }
            let article = words(Int.random(in: 0...60, using: &generator))
            var page: [String] = []
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                page += words(Int.random(in: 0...9, using: &generator))
                let start = Int.random(in: 0...article.count, using: &generator)
                page += article[start...].prefix(Int.random(in: 0...30, using: &generator))
            }
            var wanted: [[String]] = []
            var wasCovered = true
            for (word, isCovered) in zip(page, Self.covered(page, article)) {
                if !isCovered { if wasCovered { wanted.append([word]) } else { wanted[wanted.count - 1].append(word) } }
                wasCovered = isCovered
            }
            let gap = [" ", "\n", "  \t"].randomElement(using: &generator) ?? " "
            let found = Self.rest(page.joined(separator: gap), article.joined(separator: "\n"))
            #expect(found == wanted.map { $0.joined(separator: " ") })
            passageCount += wanted.count
        }
        #expect(passageCount > 400)
    }
}

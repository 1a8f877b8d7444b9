import TestSupport
import Testing

/// Items with one link that two devices made before they met.
struct SameLinkTests {
    @Test func `a sync tells once on each device that links came that it had`() throws {
        let a = try Sandbox()
        let exchange = a.scratch.full("exchange")
        try a.sbfs("remote", "add", "cloud", exchange)
        try a.sbfs("sync")
        let b = try Sandbox(isLibraryMade: false)
        try b.sbfs("init", "--from", exchange)
        let links = ["https://a.example.org/", "https://b.example.org/", "https://c.example.org/#one"]
        let ours = try a.sbfs(words: ["add", "--no-archive"] + links).lines
        let theirs = try b.sbfs(
            words: ["add", "--no-archive"] + links.dropLast() + [
                "https://c.example.org/#two", "https://d.example.org/",
            ]
        ).lines
        #expect(try !a.sbfs("sync").err.contains("came"))
        for box in [b, a] {
            let run = try box.sbfs("sync")
            #expect(run.err.contains("2 links that came are those of items that this device had"), "\(run)")
            for place in 0..<2 {
                #expect(run.err.contains(ours[place].suffix(8) + " and " + theirs[place].suffix(8)), "\(run)")
            }
            #expect(try !box.sbfs("sync").err.contains("came"))
        }
        let c = try Sandbox(isLibraryMade: false)
        try c.sbfs("init", "--from", exchange)
        #expect(try !c.sbfs("sync").err.contains("came"))
    }
}

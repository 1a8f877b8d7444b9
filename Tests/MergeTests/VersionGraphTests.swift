import Items
import JSONFormat
import Merge
import Synchronization
import Testing

struct VersionGraphTests {
    private func version(_ title: String, _ parents: [Version] = [], text: String? = nil) -> Version {
        Version(
            parents: parents.map(\.name), item: [JSON.Member("title", .string(title))],
            text: text.map { ContentHash(of: Array($0.utf8)) })
    }

    @Test func `a version waits for its parents and its text`() {
        let root = version("a"), child = version("b", [root], text: "x")
        let hash = ContentHash(of: Array("x".utf8))
        #expect(VersionGraph([child], texts: [hash]).incomplete == [child.name])
        #expect(VersionGraph([root, child], texts: []).incomplete == [child.name])
        #expect(VersionGraph([root, child], texts: [hash]).incomplete == [])
        #expect(VersionGraph([child], texts: [hash], gone: [root.name]).incomplete == [])
        #expect(VersionGraph([child], texts: [], waited: [child.name]).incomplete == [])
    }

    @Test func `two notes of one state are one node`() {
        let root = version("a"), one = version("b", [root]), two = version("c", [root])
        let first = version("d", [one]), second = version("d", [two])
        let graph = VersionGraph([root, one, two, first, second], texts: [])
        #expect(graph.heads.count == 1)
        #expect(graph.names(of: graph.heads) == [first.name, second.name].sorted())
    }

    @Test func `a state that comes back after another one is a node of its own`() {
        let root = version("a"), middle = version("b", [root]), back = version("a", [middle])
        let graph = VersionGraph([root, middle, back], texts: [])
        #expect(graph.heads.map { graph.versions[$0].name } == [back.name])
    }

    @Test func `a chain of twenty thousand versions is read without recursion`() throws {
        var chain = [version("0")]
        for number in 1..<20_000 { chain.append(version(String(number), [chain[number - 1]])) }
        let side = version("side", [chain[0]])
        let graph = VersionGraph(chain + [side], texts: [])
        #expect(graph.heads.count == 2)
        let joined = try #require(try graph.joined { _ in nil })
        #expect(joined.conflicts.map(\.base) == [.string("0")])
    }

    @Test func `a graph loads only the versions that it joins`() throws {
        let root = version("a"), left = version("b", [root]), right = version("c", [root])
        var chain = [left]
        for number in 0..<100 { chain.append(version(String(number), [chain[number]])) }
        let all = Dictionary(uniqueKeysWithValues: ([root, right] + chain).map { ($0.name, $0) })
        let loaded = Mutex<Set<ContentHash>>([])
        let graph = VersionGraph(all.values.map { VersionOutline($0) }, texts: []) { name throws(ItemError) in
            loaded.withLock { _ = $0.insert(name) }
            return all[name] ?? root
        }
        #expect(loaded.withLock { $0.isEmpty })
        #expect(try graph.joined { _ in nil }?.isMerge == true)
        #expect(loaded.withLock { $0 } == [root.name, right.name, try #require(chain.last).name])
    }

    @Test func `a version that can no longer be read is an error, not an empty item`() throws {
        let root = version("a"), left = version("b", [root]), right = version("c", [root])
        let graph = VersionGraph([root, left, right].map { VersionOutline($0) }, texts: []) { name throws(ItemError) in
            if name == right.name { throw .refused(.noVersion(path: "history", .otherHash)) }
            return name == root.name ? root : left
        }
        #expect(throws: ItemError.self) { try graph.joined { _ in nil } }
    }

    @Test func `a thousand roots are joined in parts`() throws {
        var versions = (0..<1000).map { version(String($0)) }
        var rounds = 0
        while true {
            let joined = try #require(try VersionGraph(versions, texts: []).joined { _ in nil })
            if !joined.isMerge { break }
            #expect(joined.version.parents.count <= VersionGraph.headLimit)
            versions.append(joined.version)
            rounds += 1
        }
        #expect(rounds == 4)
    }

    @Test func `ancestors of ancestors are joined, however deep, in bounded time`() throws {
        // Each level joins the two versions of the level before in two ways.
        var level = [version("a"), version("b")], versions = level
        for number in 0..<200 {
            level = [version("a\(number)", level), version("b\(number)", level)]
            versions += level
        }
        let joined = try #require(try VersionGraph(versions, texts: []).joined { _ in nil })
        #expect(joined.isMerge)
        #expect(joined.version.parents == level.map(\.name).sorted())
    }

    @Test(
        arguments: [
            (#"{"parents":[],"item":{}}"#, nil), (#"{"item":{}}"#, VersionFault.lacks("parents")),
            (#"{"parents":["x"],"item":{}}"#, .lacks("parents")), (#"{"parents":[],"item":3}"#, .lacks("item")),
            (#"{"parents":[],"item":{},"text":"ABC"}"#, .lacks("text")),
            (#"{"parents":[],"item":{},"files":[{"path":"page.html"}]}"#, .lacks("files")),
            (#"{"parents":[],"item":{},"files":{}}"#, .lacks("files")),
            (#"{"parents":[],"item":{},"resolved":[1]}"#, .lacks("resolved")), ("[]", .lacks("parents")),
        ] as [(String, VersionFault?)])
    func `a file that is no version says why`(_ text: String, _ fault: VersionFault?) {
        let bytes = Array(text.utf8)
        #expect(throws: VersionFault.otherHash) { try Version(name: ContentHash(of: []), bytes: bytes) }
        var found: VersionFault?
        do throws(VersionFault) { _ = try Version(name: ContentHash(of: bytes), bytes: bytes) } catch { found = error }
        #expect(found == fault)
    }
}

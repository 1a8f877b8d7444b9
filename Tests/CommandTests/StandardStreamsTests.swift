import TestSupport
import Testing

/// Programs that start sbfs without one of the three descriptors, as some schedulers and `<&-` do.
struct StandardStreamsTests {
    let box: Sandbox

    init() throws { box = try Sandbox() }

    @Test func `a closed input is an error, and nothing is written`() throws {
        let run = try box.shell("sbfs add - <&-", exits: 1)
        #expect(run.err.contains("cannot read standard input") && !run.err.contains("directory"))
        #expect(try box.sbfs("list", "--ids").out.isEmpty)
    }

    @Test func `an argument that is not UTF-8 is refused, and says what to do`() throws {
        let run = try box.shell(
            "printf x > \"$(printf 'a\\377b.txt')\"; sbfs add \"$(printf 'a\\377b.txt')\"", exits: 1)
        #expect(run.err.contains("argument 2,") && run.err.contains("is not UTF-8; rename the file"), "\(run)")
        let query = try box.shell("sbfs list \"$(printf 'a\\377b')\"", exits: 1)
        #expect(query.err.contains("argument 2,") && query.err.contains("is not UTF-8; nothing was done"), "\(query)")
        #expect(try box.sbfs("list", "--ids").out.isEmpty)
    }

    @Test func `a very long argument is not repeated whole`() throws {
        let run = try box.sbfs("list", "--sort", String(repeating: "x", count: 50_000), exits: 2)
        #expect(run.err.utf8.count < 3000 && run.err.contains("…"))
    }

    @Test(arguments: ["1", "2", "0"])
    func `nothing that is printed goes into a file of the library`(number: String) throws {
        let id = try box.snippet("words\n", title: "First")
        let way = number == "0" ? "<&-" : "\(number)>&-"
        try box.shell("sbfs title \(id) Second \(way); sbfs show \(id) \(way); sbfs nonsense \(way); true", exits: 0)
        #expect(try box.title(id) == "Second")
        #expect(try box.sbfs("check").err.hasPrefix("sbfs: 1 item: 0 errors, 0 warnings"))
    }

    @Test(arguments: [">/dev/full", ">&-"])
    func `a change whose answer cannot be written is told`(way: String) throws {
        let run = try box.shell("sbfs add --title Once https://example.org \(way)", exits: 1)
        #expect(run.err.contains("cannot write to standard output"), "\(run)")
        #expect(run.err.contains("the change was made, \"sbfs log\" shows it"), "\(run)")
        #expect(try box.sbfs("list", "--ids").lines.count == 1)
        #expect(try !box.shell("sbfs list \(way)", exits: 1).err.contains("the change was made"))
    }

    @Test func `without HOME, the home folder is that of the password database`() throws {
        let home = try box.shell("getent passwd \"$(id -u)\" | cut -d: -f6").out.split(separator: "\n").first ?? ""
        let run = try box.shell("env -u HOME -u SBFS_LIBRARY sbfs --library '~/no-such-library' list; true")
        #expect(run.err.contains("\(home)/no-such-library is not a library"), "\(run)")
    }
}

import JSONFormat
import Testing

struct ConfigTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    struct Setting: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let first: String
        let good: [String]
        let bad: [String]
    }

    static let settings = [
        Setting(
            testDescription: "purgeDays", first: "10", good: ["1", "3650"], bad: ["0", "3651", "-1", "ten", "1.5", ""]),
        Setting(testDescription: "maxFileSizeMB", first: "512", good: ["50", "4096"], bad: ["49", "4097", "1e3"]),
        Setting(
            testDescription: "weekStart", first: "monday", good: ["sunday", "monday"], bad: ["tuesday", "Sunday"]),
        Setting(testDescription: "defaultTags", first: "", good: ["a, B", "", "x"], bad: []),
        Setting(testDescription: "name", first: "library", good: ["My things"], bad: []),
    ]

    @Test(arguments: settings)
    func `a setting has a range and a default`(setting: Setting) throws {
        let key = setting.testDescription
        #expect(try sandbox.sbfs("config", key).out == setting.first + "\n")
        for value in setting.good {
            try sandbox.sbfs("config", key, value)
            #expect(try sandbox.sbfs("config", key).out == value + "\n")
        }
        let before = try sandbox.scratch.text("library/library.json")
        for value in setting.bad {
            let run = try sandbox.sbfs("config", key, value, exits: nil)
            #expect(run.status == 1 || run.status == 2, "\(run)")
            #expect(run.err.contains("\(key) must be "))
        }
        #expect(try sandbox.scratch.text("library/library.json") == before)
        #expect(try sandbox.sbfs("check").out.isEmpty)
    }

    @Test func `unset goes back to the default`() throws {
        try sandbox.sbfs("config", "purgeDays", "30")
        try sandbox.sbfs("config", "purgeDays", "--unset")
        #expect(try sandbox.sbfs("config", "purgeDays").out == "10\n")
        #expect(!(try sandbox.scratch.text("library/library.json").contains("purgeDays")))
        try sandbox.sbfs("config", "purgeDays", "30", "--unset", exits: 2)
    }

    @Test func `settings of this device stay out of the library`() throws {
        let before = try sandbox.scratch.text("library/library.json")
        try sandbox.sbfs("config", "editor", "code --wait")
        #expect(try sandbox.sbfs("config", "editor").out == "code --wait\n")
        #expect(try sandbox.scratch.text("library/library.json") == before)
        #expect(try sandbox.scratch.text("home/config/sbfs/config.json") == "{\n  \"editor\": \"code --wait\"\n}\n")
        try sandbox.sbfs("config", "editor", "--unset")
        #expect(try sandbox.sbfs("config", "editor").out == "\n")
    }

    @Test func `config lists all settings with their meaning`() throws {
        let run = try sandbox.sbfs("config")
        let keys = run.lines.map { String($0.prefix { $0 != " " }) }
        #expect(
            keys == [
                "name", "purgeDays", "maxFileSizeMB", "defaultTags", "weekStart", "library", "editor",
                "mergetool", "capture.browser", "watch.archive", "watch.pages", "watch.purge", "watch.verify",
                "watch.sync",
                "watch.notify",
                "ai.never",
            ])
        #expect(run.out.contains("512          size limit for documents and bundles in MB, 50-4096 (512)"))
        let settings = try sandbox.sbfs("config", "--json").array()
        #expect(settings.first?["purgeDays"] as? String == "10")
    }

    @Test func `one setting is JSON too on request`() throws {
        #expect(try sandbox.sbfs("config", "purgeDays", "--json").array().first?["purgeDays"] as? String == "10")
        #expect(try sandbox.sbfs("config", "editor", "--json").array().first?["editor"] as? String == "")
    }

    @Test func `an unknown setting is a usage error with a suggestion`() throws {
        #expect(
            try sandbox.sbfs("config", "purgeday", exits: 2).err.contains(
                "there is no setting \"purgeday\"; did you mean \"purgeDays\"?"))
        #expect(try sandbox.sbfs("config", "editr", exits: 2).err.contains("did you mean \"editor\"?"))
        #expect(try sandbox.sbfs("config", "colour", exits: 2).err.contains("there is no setting \"colour\"\n"))
        try sandbox.sbfs("config", "a", "b", "c", exits: 2)
    }

    @Test func `a change keeps the order and every key that is not known`() throws {
        let text = try sandbox.scratch.text("library/library.json")
        try sandbox.scratch.write(
            "library/library.json", text.replacing("\"format\"", with: "\"mood\": 1.50e1,\n  \"format\""))
        try sandbox.sbfs("config", "purgeDays", "30")
        let after = try sandbox.scratch.text("library/library.json")
        #expect(after.hasPrefix("{\n  \"mood\": 1.50e1,\n  \"format\": 1,"))
        #expect(after.contains("\"purgeDays\": 30"))
    }

    @Test func `a config file that does not parse is named with its place`() throws {
        try sandbox.scratch.write("home/config/sbfs/config.json", "{\n  oops\n}")
        let run = try sandbox.sbfs("config", "editor", exits: 1)
        #expect(run.err.contains("\(sandbox.home)/config/sbfs/config.json:2:3: expected a key in double quotes"))
        try sandbox.sbfs("config", "editor", "vim", exits: 1)
        #expect(try sandbox.scratch.text("home/config/sbfs/config.json") == "{\n  oops\n}")
    }

    @Test(arguments: [["list"], ["add", "-"], ["show", "x"]])
    func `every command that opens the library closes the settings to others`(words: [String]) throws {
        try sandbox.scratch.write("home/config/sbfs/config.json", "{}")
        try sandbox.scratch.write("home/state/sbfs/x", "x")
        let folders = ["config", "state"].map { sandbox.home + "/\($0)/sbfs" }
        for folder in folders { try sandbox.shell("chmod 777 '\(folder)' && chmod 666 '\(folder)'/*") }
        try sandbox.sbfs(words: words, input: Array("x".utf8), exits: nil)
        for folder in folders {
            #expect(try sandbox.shell("stat -c %a '\(folder)'").out == "700\n")
            #expect(try sandbox.shell("find '\(folder)' -type f -perm /077").out == "")
        }
    }
}

import Foundation
import Glibc
import TestSupport
import Testing

/// A person's home and library in a scratch directory, and the commands that they type.
final class Sandbox {
    let scratch: ScratchDirectory
    /// The absolute path.
    let library: String
    let home: String
    /// The folder in which commands run; empty at first.
    let desk: String
    /// Variables of every command; a test may change them.
    var environment: [String: String]

    /// - Parameter isLibraryMade: whether the library exists already.
    init(isLibraryMade: Bool = true) throws {
        scratch = try ScratchDirectory()
        home = scratch.full("home")
        desk = scratch.full("desk")
        library = scratch.full("library")
        try scratch.makeDirectory("home")
        try scratch.makeDirectory("desk")
        let programs = Sbfs.binary.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        environment = [
            "HOME": home, "XDG_CONFIG_HOME": home + "/config", "XDG_STATE_HOME": home + "/state",
            "XDG_CACHE_HOME": home + "/cache", "TZ": "UTC", "LANG": "C.UTF-8", "TERM": "xterm", "EDITOR": "false",
            "SBFS_OFFLINE": "1", "SBFS_NO_SWEEP": "1",
            "PATH": programs + ":/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "SBFS_LIBRARY": library,
            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null",
        ]
        if isLibraryMade { try sbfs("init") }
    }

    // MARK: Running

    /// Runs `sbfs` without a terminal.
    ///
    /// - Parameter status: the expected exit code.
    @discardableResult
    func sbfs(
        _ words: String..., input: String = "", exits status: Int32? = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Run {
        try run([Sbfs.binary] + words, input: Array(input.utf8), exits: status, sourceLocation)
    }

    @discardableResult
    func sbfs(
        words: [String], input: [UInt8] = [], exits status: Int32? = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Run {
        try run([Sbfs.binary] + words, input: input, exits: status, sourceLocation)
    }

    /// Runs `sbfs` with a terminal for questions, and types the answer.
    @discardableResult
    func ask(
        _ words: String..., typing typed: String, input: String = "", exits status: Int32? = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Run {
        try run(
            [Sbfs.binary] + words, input: Array(input.utf8), screen: .asking, typing: typed, exits: status,
            sourceLocation)
    }

    /// Runs `sbfs` with all its streams on a terminal.
    @discardableResult
    func onTerminal(
        _ words: String..., typing typed: String = "", exits status: Int32? = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Run {
        try run([Sbfs.binary] + words, screen: .whole, typing: typed, exits: status, sourceLocation)
    }

    /// Runs a line of shell in which `sbfs` is the program under test.
    @discardableResult
    func shell(
        _ script: String, screen: Launch.Screen = .none, typing typed: String = "", exits status: Int32? = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Run {
        try run(["/bin/sh", "-c", script], screen: screen, typing: typed, exits: status, sourceLocation)
    }

    /// Runs another program that is built beside `sbfs`.
    @discardableResult
    func program(
        _ name: String, _ words: [String], exits status: Int32? = 0, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Run {
        let folder = Sbfs.binary.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        return try run([folder + "/" + name] + words, exits: status, sourceLocation)
    }

    private func run(
        _ words: [String], input: [UInt8] = [], screen: Launch.Screen = .none, typing typed: String = "",
        exits status: Int32?, _ sourceLocation: SourceLocation
    ) throws -> Run {
        let run = try Launch(
            words: words, environment: environment, folder: desk, input: input, screen: screen, typed: typed
        ).run()
        if let status, run.status != status {
            Issue.record("expected exit code \(status): \(run)", sourceLocation: sourceLocation)
        }
        return run
    }

    // MARK: Files of the person

    /// Writes a file into the desk folder and returns its absolute path.
    @discardableResult
    func file(_ name: String, _ text: String = "content\n") throws -> String {
        try scratch.write("desk/" + name, text)
        return desk + "/" + name
    }

    /// Sets a shell script as the person's editor; `$1` is the file.
    func useEditor(_ script: String) throws {
        try scratch.write("home/editor", "#!/bin/sh\n" + script + "\n")
        chmod(home + "/editor", 0o755)
        // By the shell: a process that another test starts at this moment has the file open for writing, and it could not be run.
        environment["EDITOR"] = "sh " + home + "/editor"
    }
}

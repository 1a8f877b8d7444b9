import Glibc
import StuffBucket

/// One run of a command: its options and arguments, the streams, and the library, which is opened on first use.
final class Invocation {
    let arguments: ArgumentParser
    let output = Output()
    let talk: Talk
    let style: Style

    init(_ arguments: ArgumentParser) throws {
        self.arguments = arguments
        talk = Talk(isQuiet: arguments.values["quiet"] != nil)
        let color = arguments.values["color"]?.first ?? "auto"
        guard ["auto", "always", "never"].contains(color) else {
            throw UsageError("--color must be auto, always or never, not \"\(color)\"")
        }
        style = Style(color)
    }

    var command: Command { arguments.command }
    var positionals: [String] { arguments.positionals }

    func has(_ option: String) -> Bool { arguments.values[option] != nil }
    func value(_ option: String) -> String? { arguments.values[option]?.last }
    func values(_ option: String) -> [String] { arguments.values[option] ?? [] }
    var isDryRun: Bool { has("dry-run") }
    var mode: ChangeMode { isDryRun ? .dry : .real }

    func usage(_ message: String) -> UsageError { UsageError(message, command: command.name) }

    /// - Throws: `UsageError` if the option's value is no whole number of 1 or more.
    func count(_ option: String) throws -> Int? {
        guard let text = value(option) else { return nil }
        guard let number = Int(text), number >= 1 else {
            throw usage("--\(option) needs a whole number from 1 on, not \"\(text)\"")
        }
        return number
    }

    // MARK: Library

    private var opened: Library?

    /// The library: `--library`, else `$SBFS_LIBRARY`, else the nearest folder above with a library.json, else the
    /// one in the person's settings, else `~/StuffBucket`.
    func library() throws -> Library {
        if let opened { return opened }
        Environment.makeFoldersPrivate()
        let library = try Self.open(try LibraryLocation.find(self))
        opened = library
        if let warning = ForeignOwner.warning(in: library.path) { talk.warn(warning) }
        return library
    }

    /// Opens a library as this program does.
    static func open(_ path: String) throws -> Library {
        var options = LibraryOptions()
        options.source = "cli"
        options.startSweep = { BackgroundSweep.start(library: path) }
        if !Environment.forbidsTakingIn {
            options.startTakingIn = { BackgroundSweep.start(library: path, takesIn: true) }
        }
        return try Library(path: path, options)
    }

    private var begun: Step?

    /// The step with all changes of this command, so that they are undone together.
    func step() throws -> Step {
        if let begun { return begun }
        let library = try library()
        let step = try library.begin(stepHeader())
        begun = step
        output.outliveReader()
        if !isDryRun, CloneCheck.lacksDriver(library.path) { talk.say(CloneCheck.warning) }
        return step
    }

    /// Whether this command has changed anything.
    var hasChanged: Bool { begun?.hasChanges ?? false }

    /// Ends the step and updates the index with this command's changes.
    func endStep() {
        begun?.end()
        begun = nil
    }

    /// Updates the index with this command's changes.
    func settle() { opened?.settle() }

    /// Reports what the library did without a request, such as keeping a version that could not be merged.
    func tellWhatWasDone() {
        var told: Set<String> = []
        for wording in opened?.takeNotices().map(\.wording) ?? [] where told.insert(wording).inserted {
            talk.warn(wording)
        }
    }

    // MARK: Output

    /// The format of items: from the option; else a table on a terminal and tab-separated lines elsewhere.
    func itemFormat() throws -> ItemFormat {
        if has("ids") { return .ids }
        if has("ndjson") { return .ndjson }
        if has("json") { return .json }
        guard let name = value("format") else { return Terminal.isOutput ? .table : .tsv }
        guard let format = ItemFormat(rawValue: name) else {
            throw usage("--format must be table, card, tsv, json or ndjson, not \"\(name)\"")
        }
        return format
    }

    func printer(_ format: ItemFormat) throws -> ItemPrinter {
        let library = try library()
        var printer = ItemPrinter(
            format: format, library: library, output: output, style: style, columns: Terminal.columns,
            reach: ExchangeReach(library))
        if style.isColored, format == .table || format == .card { printer.looks = Looks(library) }
        return printer
    }
}

/// The terminal's size.
enum Terminal {
    /// Whether standard output is a terminal.
    static var isOutput: Bool { isatty(1) == 1 }

    /// At least 20; 100 if nothing tells.
    static var columns: Int {
        if let columns = Environment["COLUMNS"].flatMap(Int.init), columns > 0 { return max(20, columns) }
        var size = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 100 }
        return max(20, Int(size.ws_col))
    }
}

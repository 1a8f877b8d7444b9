import StuffBucket

extension Commands {
    static let config = Command(
        "config", .care, "Show or change settings", arguments: "[KEY [VALUE]]",
        details: """
            Settings of the library are in library.json and go where the folder is copied ("sbfs sync" gives them to a new device alone):
            \(LibraryFile.Setting.allCases.map { "  \($0.rawValue): \($0.summary)" }.joined(separator: "\n"))
            Settings of this device are in $XDG_CONFIG_HOME/sbfs/config.json and stay here. sbfs reads programs and \
            paths only from there:
            \(LocalSettings.Key.allCases.map { "  \($0.rawValue): \($0.summary)" }.joined(separator: "\n"))
            """,
        options: [Option("unset", "restore the default"), Option.dryRun, Option.json],
        examples: [
            .init("sbfs config", "all settings"), .init("sbfs config purgeDays 30", "change one"),
            .init("sbfs config editor 'code --wait'", "the editor on this device"),
        ]
    ) { invocation in
        let words = invocation.positionals
        guard words.count <= 2, !(words.count == 2 && invocation.has("unset")) else {
            throw invocation.usage("config takes a key and a value")
        }
        guard let key = words.first else { return try showAll(invocation) }
        let value = words.count == 2 ? words[1] : nil
        if let local = LocalSettings.Key(rawValue: key) {
            if let value, let refusal = local.refusal(of: value) {
                throw CommandFailure(.failed, "\(key) must be \(refusal), not \"\(value)\"")
            }
            if value != nil || invocation.has("unset") {
                if !invocation.isDryRun { try LocalSettings.write(local, value) }
            } else {
                try show(key, try LocalSettings.read()[key] ?? "", invocation)
            }
            return .done
        }
        guard let setting = LibraryFile.Setting(rawValue: key) else {
            let names = LibraryFile.Setting.allCases.map(\.rawValue) + LocalSettings.Key.allCases.map(\.rawValue)
            let nearest = Spelling.nearest(key, in: names).map { "; did you mean \"\($0)\"?" } ?? ""
            throw invocation.usage("there is no setting \"\(key)\"\(nearest)")
        }
        let library = try invocation.library()
        if value == nil, !invocation.has("unset") {
            try show(key, library.settings.text(of: setting), invocation)
            return .done
        }
        let json = try value.map { try LibraryFile.value($0, for: setting) }
        if !invocation.isDryRun { try invocation.step().set([(setting, json)]) }
        return .done
    }

    private static func show(_ key: String, _ value: String, _ invocation: Invocation) throws {
        if invocation.has("json") {
            let object = JSON.members([(key, .string(value))])
            try invocation.output.write(Printable.json(JSON.array([object]).file))
        } else {
            try invocation.output.line(Printable.line(value))
        }
    }

    private static func showAll(_ invocation: Invocation) throws -> ExitStatus {
        let local = try LocalSettings.read()
        let library = try? invocation.library()
        let settings =
            LibraryFile.Setting.allCases.compactMap { setting in
                library.map { (setting.rawValue, $0.settings.text(of: setting), setting.summary) }
            } + LocalSettings.Key.allCases.map { ($0.rawValue, local[$0.rawValue] ?? "", $0.summary) }
        if invocation.has("json") {
            let object = JSON.members(settings.map { ($0.0, .string($0.1)) })
            try invocation.output.write(Printable.json(JSON.array([object]).file))
            return .done
        }
        for (key, value, summary) in settings {
            try invocation.output.line(
                "\(TextWidth.pad(key, to: 14)) \(TextWidth.pad(Printable.line(value), to: 12)) "
                    + invocation.style.dim(summary))
        }
        return .done
    }
}

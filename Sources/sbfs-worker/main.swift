internal import Files
internal import Glibc

/// The worker's commands, by name.
///
/// Each gives up its rights before it parses strangers' data: `extract` at once, `serve` in a new process for each
/// order. The unconfined part only reads lines from its parent.
let commands: [(name: String, run: ([String]) -> Int32)] = [
    ("serve", Serve.run),
    ("extract", Extract.run),
    ("helper", HelperCommand.run),
    ("pack", PackCommands.pack),
    ("unpack", PackCommands.unpack),
    ("bundle", PackCommands.bundle),
    ("unbundle", PackCommands.unbundle),
    ("--confinement", ConfinementCommand.run),
]

let arguments = RunningProgram.arguments ?? []
guard let command = commands.first(where: { $0.name == arguments.first }) else {
    print("usage: sbfs-worker " + commands.map(\.name).joined(separator: "|") + " ...")
    exit(2)
}
exit(command.run(Array(arguments.dropFirst())))

internal import Files
internal import Glibc

/// What the worker does on request, by name.
///
/// Each gives up its rights before it looks at what a stranger made: `extract` at once, `serve` in a process of its own
/// for each order. What stays unconfined reads lines of the one who started it, and nothing else.
let commands: [(name: String, run: ([String]) -> Int32)] = [
    ("serve", Serve.run),
    ("extract", Extract.run),
    ("helper", HelperCommand.run),
    ("--confinement", ConfinementCommand.run),
]

let arguments = RunningProgram.arguments ?? []
guard let command = commands.first(where: { $0.name == arguments.first }) else {
    print("usage: sbfs-worker " + commands.map(\.name).joined(separator: "|") + " ...")
    exit(2)
}
exit(command.run(Array(arguments.dropFirst())))

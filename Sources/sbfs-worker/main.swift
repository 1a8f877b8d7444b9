internal import Files
internal import Glibc

/// What the worker does on request, by name.
let commands: [(name: String, run: ([String]) -> Int32)] = [
    ("serve", Serve.run),
    ("extract", Extract.run),
]

let arguments = RunningProgram.arguments ?? []
guard let command = commands.first(where: { $0.name == arguments.first }) else {
    print("usage: sbfs-worker " + commands.map(\.name).joined(separator: "|") + " ...")
    exit(2)
}
exit(command.run(Array(arguments.dropFirst())))

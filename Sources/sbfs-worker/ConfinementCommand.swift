internal import Confinement
internal import Glibc

/// `--confinement`: prints the parts of a confinement that are in force on this machine, one a line.
enum ConfinementCommand {
    static func run(_ arguments: [String]) -> Int32 {
        guard arguments.count < 2, let profile = Confinement.Profile(rawValue: arguments.first ?? "parse") else {
            print("usage: sbfs-worker --confinement [parse|fetch|helper]")
            return 2
        }
        for part in Confinement(profile).apply() { print(part) }
        return 0
    }
}

/// `helper PROGRAM …`: becomes another program that parses a file and has few rights.
///
///     sbfs-worker helper [--read PATH]… [--write FOLDER]… PROGRAM [ARGUMENT…]
enum HelperCommand {
    static func run(_ arguments: [String]) -> Int32 {
        var rest = arguments[...]
        var reading: [String] = []
        var writing: [String] = []
        while let option = rest.first, option == "--read" || option == "--write", rest.count > 1 {
            if option == "--read" { reading.append(rest[rest.startIndex + 1]) }
            if option == "--write" { writing.append(rest[rest.startIndex + 1]) }
            rest = rest.dropFirst(2)
        }
        guard let program = rest.first, program.hasPrefix("/") else {
            StandardError.say("usage: sbfs-worker helper [--read PATH]... [--write FOLDER]... /PROGRAM [ARGUMENT...]")
            return 2
        }
        let number = HelperProgram.become(program, Array(rest.dropFirst()), reading: reading, writing: writing)
        StandardError.say("\(program): \(String(cString: strerror(number)))")
        return 1
    }
}

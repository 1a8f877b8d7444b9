import Glibc
import StuffBucket

@main
struct Main {
    static func main() {
        StandardStreams.keepOpen()
        // A write beyond the file size limit then fails with EFBIG, which is reported, instead of raising a signal.
        signal(SIGXFSZ, SIG_IGN)
        // The rest is in a separate function, so that the library is closed before the process ends.
        guard let words = RunningProgram.arguments else {
            Talk.write("sbfs: cannot read this command line; nothing was done\n")
            exit(ExitStatus.usage.rawValue)
        }
        let status = run(words)
        if let advice = ForeignOwner.advice() { Talk.write("sbfs: \(Talk.lines(advice))\n") }
        exit(status.rawValue)
    }

    /// A sentence that quotes a very long argument, without the middle.
    private static func cut(_ sentence: String) -> String {
        if sentence.utf8.count <= 2000 { return sentence }
        let scalars = sentence.unicodeScalars
        return String(scalars.prefix(800)) + " … " + String(scalars.suffix(300))
    }

    private static func run(_ words: [String]) -> ExitStatus {
        do {
            if let place = RunningProgram.brokenArgument, words.first != Commands.complete.name {
                let isFile = ["add", "attach"].contains { words.first == $0 } && !words[place - 1].hasPrefix("-")
                let advice =
                    isFile ? "rename the file, or add its bytes: sbfs add - --title TITLE < FILE" : "nothing was done"
                throw CommandFailure(
                    .failed, "argument \(place), \"\(words[place - 1])\", is not UTF-8; \(advice)")
            }
            let arguments = try ArgumentParser(words)
            let invocation = try Invocation(arguments)
            if invocation.has("help"), arguments.command.name != Commands.help.name {
                try invocation.output.write(Array(HelpText.command(arguments.command, invocation.style).utf8))
                try invocation.output.flush()
                return .done
            }
            let isHelp = [Commands.help.name, Commands.complete.name].contains(arguments.command.name)
            if !isHelp, let fault = Environment.brokenPath {
                throw UsageError("\(fault). Nothing was done", command: arguments.command.name)
            }
            // What is started from here obeys it, too.
            if invocation.has("offline") { setenv("SBFS_OFFLINE", "1", 1) }
            do {
                let status = try arguments.command.run(invocation)
                // The person sees the answer before the index is updated.
                try invocation.output.flush()
                invocation.endStep()
                invocation.tellWhatWasDone()
                return status
            } catch {
                let hasChanged = invocation.hasChanged
                invocation.endStep()
                if let failure = error as? CommandFailure, failure.isOfOutput, hasChanged {
                    // Somebody who does not know that may do it twice.
                    throw CommandFailure(failure.status, "\(failure); the change was made, \"sbfs log\" shows it")
                }
                try invocation.output.flush()
                throw error
            }
        } catch let error as UsageError {
            let hint = error.command.map { $0.isEmpty ? "sbfs help" : "sbfs help \($0)" } ?? "sbfs help"
            Talk.write("sbfs: \(Talk.lines(Self.cut(error.description)))\nSee \"\(hint)\".\n")
            return .usage
        } catch {
            Talk.write("sbfs: \(Talk.lines(error.wording))\n")
            return ExitStatus(for: error)
        }
    }
}

/// Completion scripts for shells, made from the table of commands.
enum Completion {
    static func text(for shell: String) -> String? {
        switch shell {
        case "bash": bash
        case "zsh": zsh
        case "fish": fish
        default: nil
        }
    }

    private static var verbs: [String] {
        var seen: Set<String> = []
        return CommandTable.commands.map { String($0.name.prefix { $0 != " " }) }.filter { seen.insert($0).inserted }
    }

    private static func subverbs(_ family: String) -> [String] {
        CommandTable.commands.filter { $0.name.hasPrefix(family + " ") }.map {
            String($0.name.dropFirst(family.count + 1))
        }
    }

    private static func options(_ verb: String) -> [String] {
        var seen: Set<String> = []
        return CommandTable.commands.filter { $0.name == verb || $0.name.hasPrefix(verb + " ") }.flatMap(\.allOptions)
            .map { "--" + $0.name }.filter { seen.insert($0).inserted }
    }

    private static var bash: String {
        var cases = ""
        for verb in verbs {
            let words = (subverbs(verb) + options(verb)).joined(separator: " ")
            cases += "        \(verb)) words='\(words)' ;;\n"
        }
        return """
            # Completion of sbfs for bash.
            _sbfs() {
                local word=${COMP_WORDS[COMP_CWORD]} verb='' words i
                for ((i = 1; i < COMP_CWORD; i++)); do
                    case ${COMP_WORDS[i]} in
                        --library) ((i++)) ;;
                        -*) ;;
                        *) verb=${COMP_WORDS[i]}; break ;;
                    esac
                done
                case $verb in
                    '') words='\(verbs.joined(separator: " ")) --library --help' ;;
            \(cases)    esac
                COMPREPLY=($(compgen -W "$words" -- "$word"))
                if [[ $word != -* && ( $verb == add || $verb == attach || $verb == init ) ]]; then
                    COMPREPLY+=($(compgen -f -- "$word"))
                fi
            }
            complete -o filenames -F _sbfs sbfs

            """
    }

    private static var zsh: String {
        var cases = ""
        for verb in verbs {
            cases +=
                "        \(verb)) compadd -- \((subverbs(verb) + options(verb)).joined(separator: " ")); _files ;;\n"
        }
        return """
            #compdef sbfs
            # Completion of sbfs for zsh.
            _sbfs() {
                if (( CURRENT == 2 )); then
                    compadd -- \(verbs.joined(separator: " "))
                    return
                fi
                case $words[2] in
            \(cases)    esac
            }
            _sbfs "$@"

            """
    }

    private static var fish: String {
        var lines = ["# Completion of sbfs for fish."]
        for verb in verbs {
            let summary =
                CommandTable.commands.first { $0.name == verb || $0.name.hasPrefix(verb + " ") }?.summary ?? ""
            lines.append("complete -c sbfs -n __fish_use_subcommand -f -a \(verb) -d '\(quoted(summary))'")
            let isSeen = "'__fish_seen_subcommand_from \(verb)'"
            for word in subverbs(verb) { lines.append("complete -c sbfs -n \(isSeen) -f -a \(word)") }
            for command in CommandTable.commands where command.name == verb {
                for option in command.allOptions {
                    let short = option.short.map { " -s \($0)" } ?? ""
                    lines.append(
                        "complete -c sbfs -n \(isSeen) -l \(option.name)\(short)\(option.value == nil ? "" : " -r")"
                            + " -d '\(quoted(option.help))'")
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func quoted(_ text: String) -> String { text.split(separator: "'").joined(separator: "\\'") }
}

/// Completion scripts for shells. They only split the line and ask "sbfs complete".
enum CompletionScript {
    static func text(for shell: String) -> String? {
        switch shell {
        case "bash": bash
        case "zsh": zsh
        case "fish": fish
        default: nil
        }
    }

    /// "sbfs complete" splits the line and quotes the answers; see BashLine.
    private static let bash = #"""
        # Completion of sbfs for bash.
        _sbfs() {
            local paths reply all=
            COMPREPLY=()
            # 42 is the code of an asterisk: readline inserts all answers.
            [[ $COMP_TYPE == 42 ]] && all=--all
            {
                IFS= read -r paths
                while IFS= read -r reply; do COMPREPLY+=("$reply"); done
            } < <(command sbfs complete --bash "$2" ${all:+"$all"} -- "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
            # A word that ends in a colon, an equals sign or a slash goes on.
            [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[:=/] ]] && compopt -o nospace 2>/dev/null
            # Readline's own names of files, which it quotes itself; where words fit as well, these come first.
            case $paths in
                files) compopt -o default 2>/dev/null ;;
                folders) compopt -o dirnames 2>/dev/null ;;
            esac
        }
        complete -F _sbfs sbfs

        """#

    /// compadd quotes inserted words as the open quotation mark requires.
    private static let zsh = #"""
        #compdef sbfs
        # Completion of sbfs for zsh.
        _sbfs() {
            local -a lines values shown open openShown
            local line value typed=$QIPREFIX$IPREFIX$PREFIX
            # A quotation mark that is open is closed, so that the word can be freed of quotes.
            case $compstate[quoting] in
                single | dollars) typed+="'" ;;
                double) typed+='"' ;;
            esac
            typed=${(Q)typed}
            lines=("${(@f)$(command sbfs complete -- "${(@Q)words[2,CURRENT-1]}" "$typed" 2>/dev/null)}")
            for line in "${(@)lines[2,-1]}"; do
                value=${line%%$'\t'*}
                [[ -n $value ]] || continue
                if [[ $value == *[:=/] ]]; then
                    open+=("$value")
                    openShown+=("${line/$'\t'/  }")
                else
                    values+=("$value")
                    shown+=("${line/$'\t'/  }")
                fi
            done
            # The common beginning of all answers, and whether each begins with what was typed.
            local common=${${values[1]}:-${open[1]}} each fits=1
            for each in "${(@)values}" "${(@)open}"; do
                while [[ "${each[1,$#common]}" != "$common" ]]; do common=${common[1,-2]}; done
                [[ "${(L)each[1,$#typed]}" == "${(L)typed}" ]] || fits=0
            done
            # Answers take the place of what was typed, which they may not begin with: quotes, case and accents do not count.
            local -a how
            if (( $#values + $#open == 1 || ! fits )); then
                how=(-U)
            else
                how=(-M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}')
            fi
            # Nothing of what was typed is taken away.
            (( $#values + $#open > 1 && $#common < $#typed )) && compstate[insert]=
            # Where all answers part at a character with a backslash, zsh would insert the backslash alone. So one answer is
            # quoted in another way.
            if [[ -z $compstate[quoting] ]] && (( $#values > 1 )); then
                local parts=1
                for each in "${(@)values}" "${(@)open}"; do
                    [[ ${(q)each[$#common+1]} == \\* ]] || parts=0
                done
                if (( parts )); then
                    each=${values[1]}
                    compadd $how -Q -l -d "(${(q)shown[1]})" -- "${(q)common}${(qq)each[$#common+1,-1]}"
                    shift values shown
                fi
            fi
            (( $#values )) && compadd $how -l -d shown -a values
            (( $#open )) && compadd $how -S '' -l -d openShown -a open
            case $lines[1] in
                files) _files ;;
                folders) _files -/ ;;
            esac
        }
        if [[ $funcstack[1] == _sbfs ]]; then _sbfs "$@"; else compdef _sbfs sbfs; fi

        """#

    /// fish quotes inserted words.
    private static let fish = #"""
        # Completion of sbfs for fish.
        function __sbfs_complete
            set -l words (commandline -opc)
            set -l token (commandline -ct | string collect)
            set -l typed ''
            # A quotation mark that is open is closed, and a backslash at the end dropped, so that the word can be freed of quotes.
            for whole in "$token" "$token'" "$token\"" (string replace -r '\\\\$' '' -- "$token")
                if set typed (string unescape -- "$whole" | string collect)
                    break
                end
            end
            set -l lines (command sbfs complete -- $words[2..-1] "$typed" 2>/dev/null)
            switch "$lines[1]"
                case files
                    __fish_complete_path (commandline -ct)
                case folders
                    __fish_complete_directories (commandline -ct)
            end
            if set -q lines[2]
                printf '%s\n' $lines[2..-1]
            end
        end
        complete -c sbfs -f -a '(__sbfs_complete)'

        """#
}

/// Completion scripts for shells. They only take the line apart and ask "sbfs complete", which knows the rest.
enum CompletionScript {
    static func text(for shell: String) -> String? {
        switch shell {
        case "bash": bash
        case "zsh": zsh
        case "fish": fish
        default: nil
        }
    }

    /// Readline cuts words at `:`, `=` and `@` (COMP_WORDBREAKS), which belong to words here: the words are put together
    /// again, and what stands before the last cut is left out of the answers.
    private static let bash = #"""
        # Completion of sbfs for bash.
        _sbfs() {
            local line=${COMP_LINE:0:COMP_POINT} words=() word='' quote='' any='' i c
            for ((i = 0; i < ${#line}; i++)); do
                c=${line:i:1}
                if [[ -n $quote ]]; then
                    if [[ $c == "$quote" ]]; then quote=''
                    elif [[ $c == '\' && $quote == '"' ]]; then ((i++)); word+=${line:i:1}
                    else word+=$c
                    fi
                else
                    case $c in
                        [\'\"]) quote=$c any=1 ;;
                        '\') ((i++)); word+=${line:i:1} any=1 ;;
                        ' ' | $'\t') if [[ -n $word$any ]]; then words+=("$word"); fi; word='' any='' ;;
                        *) word+=$c ;;
                    esac
                fi
            done
            words+=("$word")
            local paths candidate description typed=${COMP_WORDS[COMP_CWORD]}
            COMPREPLY=()
            {
                IFS= read -r paths
                while IFS=$'\t' read -r candidate description; do COMPREPLY+=("$candidate"); done
            } < <(command sbfs complete -- "${words[@]:1}" 2>/dev/null)
            # What readline will replace is only what stands behind its last cut.
            local cut=''
            [[ $typed == [:=@] ]] && typed=''
            if [[ -z $quote ]]; then
                local tail=$typed
                cut=${#word}
                # Bytes of the word that are before what is being replaced; quotes count for nothing in either.
                tail=${tail//[\\\"\']/}
                ((cut -= ${#tail}))
                for ((i = 0; i < ${#COMPREPLY[@]}; i++)); do
                    c=${COMPREPLY[i]:cut}
                    if [[ $c == *[!A-Za-z0-9_.,:=@/+%-]* ]]; then printf -v c '%q' "$c"; fi
                    COMPREPLY[i]=$c
                done
            fi
            # A word that ends in a colon, an equals sign or a slash goes on.
            [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[:=/] ]] && compopt -o nospace 2>/dev/null
            case $paths in
                files) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$typed")) ;;
                folders) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- "$typed")) ;;
            esac
        }
        complete -F _sbfs sbfs

        """#

    private static let zsh = #"""
        #compdef sbfs
        # Completion of sbfs for zsh.
        _sbfs() {
            local -a lines values shown open openShown
            local line value
            lines=("${(@f)$(command sbfs complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
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
            # One answer takes the place of what was typed, which it may not begin with: case and accents do not count.
            local -a how
            if (( $#values + $#open == 1 )); then how=(-U); else how=(-M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}'); fi
            (( $#values )) && compadd $how -l -d shown -a values
            (( $#open )) && compadd $how -S '' -l -d openShown -a open
            case $lines[1] in
                files) _files ;;
                folders) _files -/ ;;
            esac
        }
        if [[ $funcstack[1] == _sbfs ]]; then _sbfs "$@"; else compdef _sbfs sbfs; fi

        """#

    private static let fish = #"""
        # Completion of sbfs for fish.
        function __sbfs_complete
            set -l words (commandline -opc)
            set -l lines (command sbfs complete -- $words[2..-1] (commandline -ct | string unescape) 2>/dev/null)
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

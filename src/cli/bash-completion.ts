/**
 * Completion for bash by its own means: no package has to be installed, and sourcing it twice does no harm. Words that
 * are complete are quoted before they reach the program, so that nothing on the line is run.
 */
export const BASH_COMPLETION = `# bash completion for troupe; put it to use with: source <(troupe completion bash)

__troupe_complete() {
    local current="\${COMP_WORDS[COMP_CWORD]}" line value out
    local directive=0
    # Bash takes a line apart at "=" and ":" as well; what stands before them is no part of the word to complete.
    case "$current" in '=' | ':') current='' ;; esac
    out=$("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" "$current" 2>/dev/null) || return 0
    COMPREPLY=()
    while IFS= read -r line; do
        case "$line" in
            :[0-9]*) directive="\${line#:}" ;;
            ?*)
                value="\${line%%$'\\t'*}"
                if [[ "$value" == "$current"* ]]; then COMPREPLY+=("$value"); fi
                ;;
        esac
    done <<< "$out"
    # 2: no space behind it; 4: no file names when nothing fits.
    if (( directive & 2 )); then compopt -o nospace 2>/dev/null || true; fi
    if (( directive & 4 )); then compopt +o default 2>/dev/null || true; fi
    return 0
}

complete -o default -F __troupe_complete troupe
`;

name="take in an editor's save"
modes="$errors EIO+ $power"

# The item has a version, and an editor saved after it.
setup() {
    two_items && save begun && look && save first
}

# Takes in what programs saved; 3 says that there is no conflict.
look() {
    sbfs conflicts
    [ $? = 3 ]
}

# save WORD: an editor replaces the only paragraph of the text.
save() { printf 'A paragraph, %s.\n' "$1" > "$(folder)/text.md"; }

change() { look; }

# The person goes on to write before any command looks again: a save comes from the one before it, and is no conflict with it.
check() {
    save second
    look > "$WORK/said" 2>&1 || fail "a person is in conflict with himself: $(cat "$WORK/said")"
    [ "$(cat "$(folder)/text.md")" = "A paragraph, second." ] || fail "the text is $(cat "$(folder)/text.md")"
    sound
    finds 1 kept
    finds 1 paragraph second
    tidy
}

durable() { [ -n "$(ls "$(folder)/history")" ]; }

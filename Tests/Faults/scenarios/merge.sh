name="join another copy, with an item that both edited, a new one, and a document that lost"
modes="$errors EIO+ $power"
sample_step=4

# The copy is $WORK/other; both changed the title of the first item, its text in two places, and its document.
setup() {
    two_items || return 1
    printf 'first\n' > "$WORK/plan.txt"
    sbfs attach "$(id)" "$WORK/plan.txt" || return 1
    cp -a "$LIB" "$WORK/other" && rm -rf "$WORK/other/.sbfs" || return 1
    printf 'by the other\n' > "$WORK/plan.txt"
    command_there attach "$(id)" "$WORK/plan.txt" --replace --yes || return 1
    command_there title "$(id)" "their heading" || return 1
    command_there append "$(id)" "their paragraph" || return 1
    printf 'theirs alone\n' | command_there add --title "alone there" - || return 1
    printf 'by this one\n' > "$WORK/plan.txt"
    sbfs attach "$(id)" "$WORK/plan.txt" --replace --yes || return 1
    sbfs append "$(id)" "our paragraph" || return 1
    cp -a "$WORK/other" "$WORK/seen" || return 1
}

command_there() { "$SBFS" --library "$WORK/other" "$@" > /dev/null; }

change() { sbfs merge "$WORK/other"; }

check() {
    sound --read-data
    finds 1 our
    finds 1 kept
    # Nothing of this copy is lost: its document is live, or beside the winner.
    grep -rqs "by this one" "$(folder)/document" || fail "our document is gone"
    diff -r "$WORK/other" "$WORK/seen" > /dev/null || fail "the other copy was written"
    tidy
    # The next join completes it, whatever the first one left.
    sbfs merge "$WORK/other" > /dev/null || fail "the next join failed"
    grep -q "their heading" "$(folder)/item.json" || fail "their title is gone"
    grep -q "their paragraph" "$(folder)/text.md" && grep -q "our paragraph" "$(folder)/text.md" \
        || fail "a paragraph is gone"
    grep -rqs "by this one" "$(folder)/document" && grep -rqs "by the other" "$(folder)/document" \
        || fail "a document is gone"
    finds 1 alone
}

durable() { grep -q "their heading" "$(folder)/item.json" && grep -q "their paragraph" "$(folder)/text.md"; }

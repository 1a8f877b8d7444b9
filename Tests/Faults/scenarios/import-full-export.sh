name="import a whole library from its full export into another one"
modes="$errors EIO+ $power"
sample_step=6
timeout=60

setup() {
    other=$WORK/other
    "$SBFS" --library "$other" init && printf "their words" | "$SBFS" --library "$other" add - --title theirs --tag far &&
        echo "their paper" > "$WORK/paper.txt" && "$SBFS" --library "$other" add "$WORK/paper.txt" --title papers &&
        "$SBFS" --library "$other" tag colour far red && "$SBFS" --library "$other" export --full "$WORK/other.tar" &&
        sbfs init && other_item
}

change() { sbfs import "$WORK/other.tar"; }

check() {
    sound --read-data
    finds 1 kept
    at_most_one title:theirs
    at_most_one title:papers
    [ "$count" = 0 ] || cmp "$WORK/paper.txt" "$LIB"/items/*/*/document/paper.txt || fail "the document is not whole"
    sbfs log > /dev/null || fail "the log cannot be read"
    sbfs import "$WORK/other.tar" > "$WORK/said" 2>&1 || fail "again: $(cat "$WORK/said")"
    durable || fail "the second import did not take everything"
    tidy
}

durable() {
    finds 1 theirs
    finds 1 papers
    [ "$(sbfs tag colour far)" = red ] && cmp "$WORK/paper.txt" "$LIB"/items/*/*/document/paper.txt
}

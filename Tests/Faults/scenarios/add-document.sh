name="add a document"
modes="kill ENOSPC EIO EINTR short $power"

setup() { sbfs init && other_item && seq 1 40000 > "$WORK/paper.txt"; }

change() { sbfs add "$WORK/paper.txt" --title heading; }

check() {
    sound --read-data
    ! grep -q warning "$WORK/said" || fail "$(cat "$WORK/said")"
    finds 1 kept
    at_most_one heading
    [ "$count" = 0 ] || cmp "$WORK/paper.txt" "$LIB"/items/*/*/document/paper.txt || fail "the document is not whole"
    tidy
}

durable() { cmp "$WORK/paper.txt" "$LIB"/items/*/*/document/paper.txt; }

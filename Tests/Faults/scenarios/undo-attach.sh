name="undo that a document was replaced"
modes="$errors EIO+ $power"

setup() {
    sbfs init && other_item && mkdir "$WORK/new" && echo first > "$WORK/paper.txt" && echo second > "$WORK/new/paper.txt" &&
        sbfs add "$WORK/paper.txt" --title heading > "$WORK/id" &&
        sbfs attach "$(id)" "$WORK/new/paper.txt" --replace --yes
}

change() { sbfs undo; }

check() {
    sound
    finds 1 kept
    document=$(cat "$LIB"/items/*/*/document/paper.txt) || fail "no document"
    [ "$document" = first ] || [ "$document" = second ] || fail "document: $document"
    finds 1 heading
    sbfs log > /dev/null || fail "the log cannot be read"
    tidy
}

durable() {
    [ "$(cat "$LIB"/items/*/*/document/paper.txt)" = first ] &&
        grep -q "$(sha256sum < "$WORK/paper.txt" | cut -c 1-64)" "$LIB"/items/*/*/item.json
}

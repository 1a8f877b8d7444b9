name="attach a document, replacing one of the same name"
modes="kill ENOSPC ENOSPC+ EIO EINTR short $power"

setup() {
    sbfs init && mkdir "$WORK/new" && echo first > "$WORK/paper.txt" && echo second > "$WORK/new/paper.txt" &&
        sbfs add "$WORK/paper.txt" --title heading > "$WORK/id"
}

change() { sbfs attach "$(id)" "$WORK/new/paper.txt" --replace --yes; }

check() {
    sound
    document=$(cat "$LIB"/items/*/*/document/paper.txt) || fail "no document"
    [ "$document" = first ] || [ "$document" = second ] || fail "document: $document"
    finds 1 heading
    tidy
}

durable() {
    [ "$(cat "$LIB"/items/*/*/document/paper.txt)" = second ] &&
        grep -q "$(sha256sum < "$WORK/new/paper.txt" | cut -c 1-64)" "$LIB"/items/*/*/item.json
}

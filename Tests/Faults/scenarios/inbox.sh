name="take in the inbox: a link with a comment, a document in a folder, an empty file"
modes="kill ENOSPC ENOSPC+ EIO EINTR short race $power"
sample_step=7
timeout=60

setup() {
    sbfs init && other_item && mkdir "$LIB/inbox/Shelf" &&
        printf '[InternetShortcut]\nURL=https://example.org/\n' > "$LIB/inbox/Stones.url" &&
        printf 'mine "with words"' > "$LIB/inbox/Stones.url.comment" &&
        seq 1 20000 > "$LIB/inbox/Shelf/paper.pdf" && : > "$LIB/inbox/empty.bin"
}

# The empty file makes the command end with 4; so does one that could not be taken in.
take() {
    local took status
    took=$(SBFS_OFFLINE=1 sbfs inbox --now)
    status=$?
    echo "$took"
    case $took in *failed*) return 1 ;; esac
    [ "$status" = 0 ] || [ "$status" = 4 ]
}

change() { take; }

# Whatever happened: after the next run each file is one item, and the inbox is empty.
taken() {
    sound --read-data
    finds 1 kept
    tidy
    [ "$(sbfs list type:link --ids | wc -l)" = 1 ] || fail "$(sbfs list type:link)"
    grep -q 'with words' "$LIB"/items/*/*/text.md || fail "the comment is lost"
    [ "$(sbfs list tag:mine --ids | wc -l)" = 1 ] || fail "the tag is lost"
    [ "$(sbfs list collection:Shelf --ids | wc -l)" = 1 ] || fail "$(sbfs list collection:Shelf)"
    seq 1 20000 | cmp - "$LIB"/items/*/*/document/paper.pdf ||
        fail "the document is not whole"
    local left
    left=$(cd "$LIB/inbox" && find . -type f | LC_ALL=C sort | tr '\n' ' ')
    [ "$left" = "./rejected/empty.bin ./rejected/empty.bin.reason.json " ] || fail "left in the inbox: $left"
}

# Nothing is lost before the next run either.
check() {
    sound
    [ -e "$LIB/inbox/Stones.url" ] || [ "$(sbfs list type:link --ids | wc -l)" = 1 ] || fail "the link is lost"
    [ -e "$LIB/inbox/Shelf/paper.pdf" ] || [ "$(sbfs list collection:Shelf --ids | wc -l)" = 1 ] ||
        fail "the document is lost"
    take > "$WORK/again" 2>&1 || fail "the next run: $(cat "$WORK/again")"
    taken
}

durable() { [ ! -e "$LIB/inbox/Stones.url" ] && [ "$(sbfs list type:link --ids | wc -l)" = 1 ]; }

# Another program saves a newer version of the document: renamed over the old one, or written in place.
race_newer() {
    echo newer > "$LIB/inbox/Shelf/.new" && mv "$LIB/inbox/Shelf/.new" "$LIB/inbox/Shelf/paper.pdf" && touch "$WORK/did"
}
race_grown() { [ ! -e "$LIB/inbox/Shelf/paper.pdf" ] || { echo newer >> "$LIB/inbox/Shelf/paper.pdf" && touch "$WORK/did"; }; }

# What was saved becomes an item, now or at the next run.
check_race() {
    sound
    take > "$WORK/again" 2>&1 || fail "the next run: $(cat "$WORK/again")"
    sound
    [ ! -e "$WORK/did" ] || grep -rq newer "$LIB"/items/*/*/document/ ||
        fail "the newer version is lost: $(find "$LIB/inbox" -type f)"
    local left
    left=$(find "$LIB/inbox" -path "$LIB/inbox/rejected" -prune -o -type f -print)
    [ -z "$left" ] || fail "left: $left"
}

name="make a library"
modes="kill ENOSPC ENOSPC+ EIO EINTR short $power"

setup() { true; }

change() { sbfs init; }

check() {
    [ ! -e "$LIB/library.json" ] || sound
    sbfs init > "$WORK/said" 2>&1 || fail "again: $(cat "$WORK/said")"
    sound
    printf words | sbfs add - > "$WORK/said" 2>&1 || fail "add: $(cat "$WORK/said")"
    tidy
}

durable() { [ -s "$LIB/library.json" ] && [ -s "$LIB/schema/item-1.json" ]; }

name="sync of a thin device: take items, and leave their pages and documents to the exchange"
modes="$errors EIO+ $power"
sample_step=25

setup() { other_saved_a_page --thin; }

change() { own_settings; sbfs sync; }

check() {
    own_settings
    sound
    finds 1 kept
    tidy
    # `durable` comes after this.
    if grep -rqs 'second.txt' "$LIB/items"; then touch "$WORK/taken"; fi
    sbfs sync > /dev/null 2> "$WORK/said" || fail "the next sync failed: $(cat "$WORK/said")"
    for word in pageword articleword; do finds 1 "$word"; done
    is_thin || fail "files stay here"
    for item in "$LIB"/items/*/*; do
        sbfs keep "${item##*/}" > /dev/null 2> "$WORK/said" || fail "the files do not come back: $(cat "$WORK/said")"
    done
    there sync 2> "$WORK/said" || fail "the other device's sync failed: $(cat "$WORK/said")"
    sbfs sync > /dev/null || fail "the last sync failed"
    diff -r -x .sbfs "$LIB/items" "$WORK/other/items" > "$WORK/said" || fail "the devices differ: $(cat "$WORK/said")"
}

# An empty folder may stay.
is_thin() {
    [ -e "$LIB/items" ] && grep -rqs 'second.txt' "$LIB/items" &&
        [ -z "$(find "$LIB/items" -type f -path '*/document/*' -o -type f -name page.html)" ]
}

# What a fault leaves here goes with the next sync.
durable() { [ -e "$WORK/taken" ]; }

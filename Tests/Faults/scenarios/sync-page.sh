name="sync: take an item's new page, its replaced document and a new item"
modes="$errors EIO+ $power"
sample_step=25

setup() { other_saved_a_page; }

change() { own_settings; sbfs sync; }

check() {
    own_settings
    sound
    finds 1 kept
    tidy
    # `durable` comes after this.
    if grep -rqs secondword "$LIB/items"; then touch "$WORK/taken"; fi
    sbfs sync > /dev/null 2> "$WORK/said" || fail "the next sync failed: $(cat "$WORK/said")"
    for word in pageword articleword second; do finds 1 "$word"; done
    there sync 2> "$WORK/said" || fail "the other device's sync failed: $(cat "$WORK/said")"
    sbfs sync > /dev/null || fail "the last sync failed"
    diff -r -x .sbfs "$LIB/items" "$WORK/other/items" > "$WORK/said" || fail "the devices differ: $(cat "$WORK/said")"
}

durable() { [ -e "$WORK/taken" ]; }

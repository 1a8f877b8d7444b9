name="undo a change of a title and a tag"
modes="$errors EIO+ race $power"

setup() {
    two_items && printf '%s - "new heading" #sometag\n' "$(id | cut -c 29-)" > "$WORK/lines" &&
        sbfs bulk --apply "$WORK/lines" --yes
}

change() { sbfs undo; }

race_tag() { editor --tag fromeditor; }
race_title() { editor --title fromeditor; }
race_text() { editor --para fromeditor; }

check() {
    sound
    finds 1 kept
    either old heading
    together heading sometag
    finds 1 body
    sbfs log > /dev/null || fail "the log cannot be read"
    tidy
}

check_race() {
    sound
    [ "$FAULT_HIT" != 1 ] || grep -rq fromeditor "$(folder)" || fail "the other program's change is lost"
    [ "$FAULT_STATUS" != 0 ] || ! grep -q sometag "$(folder)/item.json" || fail "said undone, and is not"
}

durable() { [ "$(sbfs search --ids old)" = "$(id)" ]; }

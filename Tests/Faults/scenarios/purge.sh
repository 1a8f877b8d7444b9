name="purge an item"
modes="$errors EIO+ race $power"

setup() { two_items && sbfs trash "$(id)"; }

change() { sbfs purge "$(id)" --now --yes; }

race_text() { [ ! -d "$(folder)" ] || printf "fromeditor\n" >> "$(folder)/text.md"; }

check() {
    sound
    finds 1 kept
    [ "$(sbfs list --ids | wc -l)" = 1 ] || fail "list: $(sbfs list --ids)"
    at_most_one is:trashed
    [ "$count" = 0 ] || [ "$(cat "$(folder)/text.md")" = "body text" ] || fail "the text is not whole"
    tidy
}

# A purge that says "done" saw no change; one that met a change refuses, and the item is there with it.
check_race() {
    sound
    if [ "$FAULT_STATUS" = 0 ]; then
        [ ! -e "$(folder)/text.md" ] || ! grep -q fromeditor "$(folder)/text.md" || fail "purged, and here"
    else
        [ ! -e "$(folder)" ] || grep -q fromeditor "$(folder)/text.md" || fail "the other program's text is lost"
    fi
}

durable() {
    [ -s "$LIB"/tombstones/*/"$(id)".json ] && finds 0 is:trashed
}

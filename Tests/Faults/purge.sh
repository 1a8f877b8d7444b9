# What both kinds of purge have in common: another program that writes the purged item's text meanwhile.
# shellcheck shell=bash

race_text() { [ ! -d "$(folder)" ] || printf "fromeditor\n" >> "$(folder)/text.md"; }

# A purge that says "done" saw no change. One that saw a change leaves the item with it.
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

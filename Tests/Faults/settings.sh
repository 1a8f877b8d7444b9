# What a change of a setting and its undoing have in common: other programs that write library.json meanwhile.
# shellcheck shell=bash

race_sed() { settings_with_sed; }
race_vim() { settings_with_vim; }
race_ed() { settings_with_ed; }
race_nano() { settings_with_nano; }

check() {
    sound
    finds 1 kept
    [ "$(sbfs config name)" = before ] || fail "another setting is lost"
    days=$(sbfs config purgeDays)
    [ "$days" = 10 ] || [ "$days" = 30 ] || fail "purgeDays: $days"
    tidy
}

check_race() {
    sound
    finds 1 kept
    [ "$FAULT_HIT" != 1 ] || grep -q fromeditor "$LIB/library.json" || fail "the other program's change is lost"
    [ "$FAULT_STATUS" != 0 ] || durable || fail "said done, and is not"
    tidy
}

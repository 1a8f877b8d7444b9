name="import a whole library, with its settings, from its full export into an empty one"
modes="$errors EIO+ race $power"
sample_step=6
timeout=60

setup() {
    other=$WORK/other
    "$SBFS" --library "$other" init && printf "their words" | "$SBFS" --library "$other" add - --title theirs &&
        "$SBFS" --library "$other" config purgeDays 40 &&
        "$SBFS" --library "$other" config name before && "$SBFS" --library "$other" export --full "$WORK/other.tar" &&
        sbfs init && sbfs config name before
}

change() { sbfs import "$WORK/other.tar"; }

race_sed() { settings_with_sed; }
race_vim() { settings_with_vim; }
race_ed() { settings_with_ed; }
race_nano() { settings_with_nano; }

check() {
    sound
    at_most_one title:theirs
    days=$(sbfs config purgeDays)
    [ "$days" = 10 ] || [ "$days" = 40 ] || fail "purgeDays: $days"
    [ "$count" = 0 ] || [ "$days" = 40 ] || fail "the items came without the settings"
    sbfs import "$WORK/other.tar" > "$WORK/said" 2>&1 || fail "again: $(cat "$WORK/said")"
    durable || fail "the second import did not take everything"
    tidy
}

# What the other program saved before the imported settings took its place comes back with the step; what it saved later stays.
check_race() {
    sound
    tidy
    [ "$FAULT_STATUS" != 0 ] || durable || grep -q fromeditor "$LIB/library.json" || fail "said done, and is not"
    if [ "$FAULT_HIT" = 1 ] && ! grep -q fromeditor "$LIB/library.json"; then
        sbfs undo > "$WORK/said" 2>&1
        grep -q fromeditor "$LIB/library.json" || fail "the other program's change is lost"
    fi
}

durable() {
    finds 1 theirs
    [ "$(sbfs config purgeDays)" = 40 ]
}

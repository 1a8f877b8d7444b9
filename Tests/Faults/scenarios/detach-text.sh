name="take the text out"
modes="$errors EIO+ race $power"

setup() { two_items; }

change() { sbfs detach "$(id)" text --yes; }

race_text() { editor --para fromeditor; }

check() {
    sound
    finds 1 kept
    finds 1 old
    count body
    text=$(cat "$(folder)/text.md" 2> /dev/null)
    if [ "$count" = 1 ]; then [ "$text" = "body text" ]; else [ -z "$text" ]; fi || fail "found $count, text: $text"
    tidy
}

check_race() {
    sound
    finds 1 kept
    [ "$FAULT_HIT" != 1 ] || grep -rq fromeditor "$(folder)" || fail "the other program's change is lost"
    tidy
}

durable() {
    finds 0 body
    [ ! -e "$(folder)/text.md" ]
}

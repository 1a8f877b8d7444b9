name="take the text out"
modes="$errors EIO+ $power"

setup() { two_items; }

change() { sbfs detach "$(id)" text --yes; }

check() {
    sound
    finds 1 kept
    finds 1 old
    count body
    text=$(cat "$(folder)/text.md" 2> /dev/null)
    if [ "$count" = 1 ]; then [ "$text" = "body text" ]; else [ -z "$text" ]; fi || fail "found $count, text: $text"
    tidy
}

durable() {
    finds 0 body
    [ ! -e "$(folder)/text.md" ]
}

name="purge an item"
modes="$errors EIO+ race $power"
. "$HERE/purge.sh"

setup() { two_items && sbfs trash "$(id)"; }

change() { sbfs purge "$(id)" --now --yes; }

check() {
    sound
    finds 1 kept
    [ "$(sbfs list --ids | wc -l)" = 1 ] || fail "list: $(sbfs list --ids)"
    at_most_one is:trashed
    [ "$count" = 0 ] || [ "$(cat "$(folder)/text.md")" = "body text" ] || fail "the text is not whole"
    tidy
}

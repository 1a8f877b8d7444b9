name="purge what is due, without a person"
modes="$errors EIO+ race $power"
. "$HERE/purge.sh"

# One item that is due, among so many others that no consent is needed.
setup() {
    two_items && sbfs trash "$(id)" || return 1
    for number in $(seq 1 20); do echo "https://example.org/page/$number"; done > "$WORK/links"
    sbfs add --no-archive --input "$WORK/links" || return 1
    sed -i 's/"trashedAt": "[^"]*"/"trashedAt": "2020-01-01T00:00:00.000Z"/' "$(folder)/item.json"
    # The next writing command notes what another program changed; before, no program may purge the item.
    sbfs pin "$(sbfs search --ids kept)" || return 1
    echo "$(id) 2020-01-01T00:00:00.000Z" > "$LIB/.sbfs/trash"
}

change() { sbfs purge --background; }

# Whatever the command says: a text that the other program wrote is there. If it came before the command looked, the item
# is no longer as its versions say, and stays.
race_text() {
    [ ! -d "$(folder)" ] || { printf "fromeditor\n" >> "$(folder)/text.md" && touch "$WORK/raced"; }
}

check_race() {
    sound
    [ ! -e "$WORK/raced" ] || grep -q fromeditor "$(folder)/text.md" || fail "the other program's text is lost"
}

# The next background run begins within the same day, so it may purge nothing.
check() {
    sbfs purge --background > /dev/null 2>&1
    sound
    finds 1 kept
    [ "$(sbfs list --ids | wc -l)" = 21 ] || fail "list: $(sbfs list --ids)"
    at_most_one is:trashed
    if [ "$count" = 1 ]; then
        [ "$(cat "$(folder)/text.md")" = "body text" ] || fail "the text is not whole"
    fi
    sbfs undo --dry-run > "$WORK/said" 2>&1
    ! grep -q "purge --background" "$WORK/said" || fail "undo does not skip the background step"
    tidy
}

name="sync: take an edit, a new item and a document from an exchange, and write those of this device"
modes="$errors EIO+ $power"
sample_step=10

# The exchange is $WORK/exchange. The other device changed the title, the text and the document of the first item; this one
# its text and document.
setup() {
    two_devices || return 1
    printf 'by the other\n' > "$WORK/plan.txt"
    there attach "$(id)" "$WORK/plan.txt" --replace --yes && there title "$(id)" "their heading" || return 1
    there append "$(id)" "their paragraph" && printf 'theirs alone\n' | there add --title "alone there" - || return 1
    there sync || return 1
    printf 'by this one\n' > "$WORK/plan.txt"
    sbfs attach "$(id)" "$WORK/plan.txt" --replace --yes && sbfs append "$(id)" "our paragraph" || return 1
    printf 'local alone\n' | sbfs add --title "alone here" - || return 1
}

change() { own_settings; sbfs sync; }

# What the other device has after it took all that this one wrote, and this one all of that.
meet() {
    sbfs sync > /dev/null 2> "$WORK/said" || fail "the next sync failed: $(cat "$WORK/said")"
    there sync 2> "$WORK/said" || fail "the other device's sync failed: $(cat "$WORK/said")"
    sbfs sync > /dev/null || fail "the last sync failed"
}

check() {
    own_settings
    sound --read-data
    finds 1 our
    finds 1 kept
    grep -rqs "by this one" "$(folder)/document" || fail "our document is gone"
    tidy
    # The other device's items are whole before this one's next sync, too.
    there sync 2> "$WORK/said" || fail "the other device cannot read the exchange: $(cat "$WORK/said")"
    meet
    [ -z "$(find "$WORK/exchange" -name '.*' -type f)" ] || fail "temporary files in the exchange"
    local place
    for place in "$LIB" "$WORK/other"; do
        set -- "$place"/items/*/"$(id)"
        grep -q "their heading" "$1/item.json" || fail "their title is not in $place"
        grep -q "their paragraph" "$1/text.md" && grep -q "our paragraph" "$1/text.md" || fail "a paragraph is not in $place"
        grep -rqs "by this one" "$1/document" && grep -rqs "by the other" "$1/document" || fail "a document is not in $place"
        grep -rqs "theirs alone" "$place/items" && grep -rqs "local alone" "$place/items" || fail "an item is not in $place"
    done
    diff -r -x .sbfs "$LIB/items" "$WORK/other/items" > "$WORK/said" || fail "the devices differ: $(cat "$WORK/said")"
}

durable() {
    own_settings
    grep -q "their heading" "$(folder)/item.json" && grep -q "their paragraph" "$(folder)/text.md" &&
        [ "$("$SBFS" --library "$LIB" sync)" = "cloud: nothing to do (1 other device)" ]
}

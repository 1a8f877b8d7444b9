name="repair: give a copied folder an id of its own"
modes="$errors EIO+ $power"

setup() {
    two_items && cp -a "$(folder)" "$LIB/items/$(shard)/copy" && sync -f "$LIB/items/$(shard)"
}

change() { sbfs check --repair --yes; }

check() {
    # The copy is an error until it is repaired.
    sbfs check > /dev/null 2>&1
    finds 1 kept
    copies=$(find "$LIB/items" -name item.json -path "*/$(id)/*" | wc -l)
    [ "$copies" = 1 ] || fail "item.json of the item: $copies"
    [ "$(cat "$(folder)/text.md")" = "body text" ] || fail "text: $(cat "$(folder)/text.md")"
    count body
    folders=$(find "$LIB/items" -type d -name copy | wc -l)
    texts=$(find "$LIB/items" -name text.md -exec grep -lx "body text" {} + | wc -l)
    [ "$texts" = 2 ] && [ $((count + folders)) = 2 ] || fail "items $count, copies $folders, texts $texts"
    tidy
}

durable() {
    finds 2 body
    sound
}

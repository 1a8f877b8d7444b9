name="repair: move an item into its shard"
modes="kill ENOSPC ENOSPC+ EIO EIO+ EINTR $power"

setup() {
    two_items || return 1
    wrong=$LIB/items/$(shard | tr 0-9a-f 1-9a-f0)
    mkdir -p "$wrong" && mv "$(folder)" "$wrong" && sync "$wrong" "$LIB/items/$(shard)"
}

change() { sbfs check --repair --yes; }

check() {
    sbfs check > "$WORK/findings" 2>&1
    finds 1 kept
    copies=$(find "$LIB/items" -name item.json -path "*/$(id)/*" | wc -l)
    [ "$copies" = 1 ] || fail "item.json of the item: $copies"
    [ "$(cat "$(folder)/text.md")" = "body text" ] || fail "text: $(cat "$(folder)/text.md")"
    finds 1 body
    if [ -d "$LIB/items/$(shard)/$(id)" ]; then
        ! grep -q "belongs into shard" "$WORK/findings"
    else
        grep -q "belongs into shard" "$WORK/findings"
    fi || fail "$(cat "$WORK/findings")"
    tidy
}

durable() {
    [ -e "$LIB/items/$(shard)/$(id)/item.json" ] && sound
}

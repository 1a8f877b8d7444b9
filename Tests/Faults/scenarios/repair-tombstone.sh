name="repair: remove the tombstone of a living item"
modes="kill ENOSPC ENOSPC+ EIO EIO+ EINTR $power"
min_points=2

tombstone() { echo "$LIB/tombstones/$(shard)/$(id).json"; }

setup() {
    two_items && mkdir -p "$LIB/tombstones/$(shard)" && echo '{"purgedAt": "2026-01-01T00:00:00Z"}' > "$(tombstone)" &&
        sync -f "$LIB/tombstones"
}

change() { sbfs check --repair --yes; }

check() {
    sbfs check > /dev/null 2>&1
    finds 1 kept
    copies=$(find "$LIB/items" -name item.json -path "*/$(id)/*" | wc -l)
    [ "$copies" = 1 ] || fail "item.json of the item: $copies"
    [ "$(cat "$(folder)/text.md")" = "body text" ] || fail "text: $(cat "$(folder)/text.md")"
    finds 1 body
    tidy
}

durable() {
    [ ! -e "$(tombstone)" ] && sound
}

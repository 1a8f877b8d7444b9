name="restore an item"
modes="kill ENOSPC ENOSPC+ EIO EINTR short $power"

setup() { two_items && sbfs trash "$(id)"; }

change() { sbfs restore "$(id)"; }

check() {
    sound
    finds 1 kept
    listed=$(sbfs list --ids | wc -l)
    [ "$listed" = 1 ] || [ "$listed" = 2 ] || fail "list: $listed"
    [ "$(find "$LIB" -name item.json -path "*/$(id)/*" | wc -l)" = 1 ] || fail "the item is lost"
    tidy
}

durable() { sbfs list --ids | grep -qxF "$(id)"; }

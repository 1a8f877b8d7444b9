name="resolve a conflict of the title"
modes="$errors EIO+ $power"

# The conflict is written as another program writes it: its name begins the SHA-256 of its bytes.
setup() {
    two_items || return 1
    mkdir "$(folder)/conflicts" || return 1
    printf '{"field": "title", "base": null, "values": ["new heading", "old heading"]}\n' > "$WORK/conflict"
    cp "$WORK/conflict" "$(folder)/conflicts/$(sha256sum < "$WORK/conflict" | head -c 16).json"
}

change() { sbfs resolve "$(id)" --take 1; }

check() {
    sound --read-data
    finds 1 kept
    either old heading
    # The conflict goes after the field is set: nothing is lost in between.
    if [ -z "$(ls "$(folder)/conflicts")" ]; then
        grep -q "new heading" "$(folder)/item.json" || fail "the conflict is gone, and its value was not taken"
    else
        cmp -s "$WORK/conflict" "$(folder)/conflicts/"*.json || fail "the conflict was changed"
    fi
    tidy
}

durable() { [ -z "$(ls "$(folder)/conflicts")" ] && grep -q "new heading" "$(folder)/item.json"; }

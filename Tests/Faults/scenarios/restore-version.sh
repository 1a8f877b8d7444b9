name="give an item the title and the text of a version"
modes="$errors EIO+ $power"

# The version is written as another program writes it: its name is the SHA-256 of its bytes.
setup() {
    two_items || return 1
    local history text
    history=$(folder)/history && mkdir "$history" && printf "figure text" > "$WORK/text" || return 1
    text=$(sha256sum < "$WORK/text" | head -c 64) && cp "$WORK/text" "$history/$text.md" || return 1
    printf '{"parents": [], "item": {"id": "%s", "title": "new heading"}, "text": "%s"}\n' "$(id)" "$text" > "$WORK/new"
    sha256sum < "$WORK/new" | head -c 64 > "$WORK/version" && cp "$WORK/new" "$history/$(cat "$WORK/version").json"
}

change() { sbfs restore-version "$(id)" "$(cat "$WORK/version")"; }

check() {
    sound --read-data
    finds 1 kept
    either old heading
    either body figure
    cmp -s "$WORK/new" "$(folder)/history/$(cat "$WORK/version").json" || fail "the version changed"
    cmp -s "$WORK/text" "$(folder)/history/$(sha256sum < "$WORK/text" | head -c 64).md" || fail "its text changed"
    # The command notes what the item was and what it is: each file is named by its bytes.
    for file in "$(folder)"/history/*; do
        [ "$(sha256sum < "$file" | head -c 64)" = "$(basename "${file%.*}")" ] || fail "$file is not whole"
    done
    tidy
}

durable() { [ "$(sbfs search --ids heading figure)" = "$(id)" ]; }

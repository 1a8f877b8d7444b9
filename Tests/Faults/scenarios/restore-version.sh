name="give an item the title and the text of a version"
modes="$errors EIO+ $power"

# The version is one of before: what another device brought would be joined by the command.
setup() {
    two_items || return 1
    EDITOR='sed -i s/body/figure/' sbfs edit "$(id)" --text && sbfs title "$(id)" "new heading" || return 1
    sbfs history "$(id)" | head -n 1 | head -c 64 > "$WORK/version"
    cp "$(folder)/history/$(cat "$WORK/version").json" "$WORK/new" && cp "$(folder)/text.md" "$WORK/text" || return 1
    EDITOR='sed -i s/figure/body/' sbfs edit "$(id)" --text && sbfs title "$(id)" "old title"
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

name="join two versions of item.json for git, with a conflict of the title"
modes="$errors EIO+ $power"

# git calls the driver in the work tree, with three files of its own beside the library's.
setup() {
    two_items || return 1
    cp "$(folder)/item.json" "$WORK/base" || return 1
    sed 's/old title/our heading/' "$WORK/base" > "$WORK/ours" || return 1
    sed 's/old title/their heading/; s/"type"/"description": "theirs alone", "type"/' "$WORK/base" > "$WORK/theirs" || return 1
    for kind in base ours theirs; do cp "$WORK/$kind" "$LIB/.merge_$kind" || return 1; done
}

change() { cd "$LIB" && sbfs merge-driver .merge_base .merge_ours .merge_theirs 7 "items/$(shard)/$(id)/item.json"; }

is_joined() { grep -q "theirs alone" "$LIB/.merge_ours" && grep -q heading "$LIB/.merge_ours"; }
has_conflict() { [ "$(cat "$(folder)"/conflicts/*.json 2> /dev/null | grep -c heading)" = 2 ]; }

check() {
    for kind in base theirs; do cmp -s "$LIB/.merge_$kind" "$WORK/$kind" || fail "the driver changed $kind"; done
    # The joined version has one of the two titles, so the conflict is there before it.
    if is_joined; then
        has_conflict || fail "joined without the conflict"
    elif [ -s "$LIB/.merge_ours" ]; then
        cmp -s "$LIB/.merge_ours" "$WORK/ours" || fail "ours is neither as before nor joined"
    fi
    cmp -s "$(folder)/item.json" "$WORK/base" || fail "the driver changed the item"
    sound --read-data
    finds 1 kept
    finds 1 old title
    tidy
}

# git reads its file at once; after a loss of power the merge begins again.
durable() { has_conflict; }

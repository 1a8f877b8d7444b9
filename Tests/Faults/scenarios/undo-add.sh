name="undo that items were added"
modes="$errors EIO+ $power"
sample_step=5
timeout=60

setup() {
    sbfs init && other_item || return 1
    for number in 1 2 3 4 5; do echo "https://example.org/page/$number"; done > "$WORK/links"
    sbfs add --input "$WORK/links"
}

change() { sbfs undo; }

check() {
    sound
    finds 1 kept
    live=$(sbfs list type:link --ids | wc -l)
    trashed=$(sbfs list type:link is:trashed --ids | wc -l)
    [ $((live + trashed)) = 5 ] || fail "live $live, in the trash $trashed"
    sbfs log > /dev/null || fail "the log cannot be read"
    tidy
}

durable() { [ "$(sbfs list type:link --ids | wc -l)" = 0 ]; }

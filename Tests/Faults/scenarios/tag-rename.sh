name="rename a tag that has a colour, in the whole library"
modes="$errors EIO+ race $power"
timeout=60

setup() {
    sbfs init &&
        printf "body one" | sbfs add - --title first --tag before,kept &&
        printf "body two" | sbfs add - --title second --tag kept,before &&
        printf "body three" | sbfs add - --title third --tag kept &&
        sbfs tag colour before red
}

change() { sbfs tag rename before after; }

race_colour() {
    local file
    file=$(grep -l red "$LIB"/tags/*.json | head -n 1)
    [ -z "$file" ] || sed -i s/red/blue/ "$file"
}

check() {
    sound
    finds 3 tag:kept
    count tag:before
    before=$count
    count tag:after
    [ $((before + count)) = 2 ] || fail "before $before, after $count"
    grep -q red "$LIB"/tags/*.json || fail "the colour is lost"
    [ "$before" = 0 ] || grep -l before "$LIB"/tags/*.json | xargs -r grep -q red || fail "the old tag lost its colour"
    # The same command finishes what was interrupted.
    sbfs tag rename before after > "$WORK/said" 2>&1
    case $? in 0 | 3) ;; *) fail "again: $(cat "$WORK/said")" ;; esac
    durable || fail "the second time did not finish it"
    tidy
}

check_race() {
    sound
    [ "$FAULT_HIT" != 1 ] || grep -q blue "$LIB"/tags/*.json || fail "the other program's colour is lost"
}

durable() {
    finds 2 tag:after
    [ "$(sbfs tag colour after)" = red ] && grep -q red "$LIB"/tags/after-*.json && [ "$(grep -L deletedAt "$LIB"/tags/*.json | wc -l)" = 1 ]
}

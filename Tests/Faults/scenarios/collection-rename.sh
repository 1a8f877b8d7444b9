name="rename a collection that has a colour and another one in it, in the whole library"
modes="$errors EIO+ race $power"
sample_step=4
timeout=60

setup() {
    sbfs init &&
        printf "body one" | sbfs add - --title first -c Before -c Kept &&
        printf "body two" | sbfs add - --title second -c Before/Inner &&
        printf "body three" | sbfs add - --title third -c Kept &&
        sbfs collection colour Before red
}

change() { sbfs collection rename Before After; }

race_colour() {
    local file
    file=$(grep -l red "$LIB"/collections/*.json | head -n 1)
    [ -z "$file" ] || sed -i s/red/blue/ "$file"
}

check() {
    sound
    finds 2 collection:Kept
    count collection:Before
    before=$count
    count collection:After
    [ $((before + count)) = 2 ] || fail "before $before, after $count"
    grep -q red "$LIB"/collections/*.json || fail "the colour is lost"
    # The same command finishes what was interrupted.
    sbfs collection rename Before After > "$WORK/said" 2>&1
    case $? in 0 | 3) ;; *) fail "again: $(cat "$WORK/said")" ;; esac
    finds 2 collection:After
    finds 1 collection:After/Inner
    [ "$(sbfs collection colour After)" = red ] || fail "the colour did not come along"
    tidy
}

check_race() {
    sound
    [ "$FAULT_HIT" != 1 ] || grep -q blue "$LIB"/collections/*.json || fail "the other program's colour is lost"
}

durable() {
    finds 2 collection:After
    finds 0 collection:Before
    grep -q red "$LIB"/collections/after-*.json
}

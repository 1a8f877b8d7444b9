name="merge a tag that has a colour into another one"
modes="$errors EIO+ race $power"
timeout=60

setup() {
    sbfs init &&
        printf "body one" | sbfs add - --title first --tag before,kept &&
        printf "body two" | sbfs add - --title second --tag kept,before &&
        printf "body three" | sbfs add - --title third --tag kept,after &&
        sbfs tag colour before red
}

change() { sbfs tag merge before after; }

race_tag() {
    remember first && editor --tag fromeditor
}

check() {
    sound
    finds 3 tag:kept
    count tag:before
    [ "$count" -le 2 ] || fail "before: $count"
    before=$count
    count tag:after
    [ $((before + count)) -ge 3 ] || fail "before $before, after $count"
    sbfs tag merge before after > "$WORK/said" 2>&1
    case $? in 0 | 3) ;; *) fail "again: $(cat "$WORK/said")" ;; esac
    durable || fail "the second time did not finish it"
    tidy
}

check_race() {
    sound
    [ "$FAULT_HIT" != 1 ] || finds 1 tag:fromeditor
}

durable() {
    finds 3 tag:after
    finds 0 tag:before
    finds 3 tag:kept
}

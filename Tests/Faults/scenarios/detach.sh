name="take the document out"
modes="$errors EIO+ race $power"

setup() {
    sbfs init && other_item && echo paper > "$WORK/paper.txt" && mkdir "$WORK/out" &&
        sbfs add "$WORK/paper.txt" --title heading > "$WORK/id"
}

change() { sbfs detach "$(id)" document --to "$WORK/out" --yes; }

race_tag() { editor --tag fromeditor; }
race_title() { editor --title fromeditor; }
race_document() {
    if [ -e "$(folder)/document/paper.txt" ]; then
        echo fromeditor > "$(folder)/document/paper.txt"
        touch "$WORK/came"
    fi
}

check() {
    sound
    finds 1 kept
    finds 1 heading
    if [ -e "$(folder)/document/paper.txt" ]; then
        [ "$(cat "$(folder)/document/paper.txt")" = paper ] || fail "the document is not whole"
        [ "$(sbfs list --ids has:document)" = "$(id)" ] || fail "the item does not know its document"
    else
        ! grep -q paper.txt "$(folder)/item.json" || fail "item.json promises a document that is gone"
    fi
    tidy
}

check_race() {
    sound
    if [ "$RACE" != document ]; then
        [ "$FAULT_HIT" = 0 ] || grep -q fromeditor "$(folder)/item.json" || fail "the other program's change is lost"
        [ "$FAULT_STATUS" != 0 ] || ! grep -q documentSHA256 "$(folder)/item.json" || fail "item.json promises a document"
    elif [ -e "$WORK/came" ]; then
        grep -rq fromeditor "$(folder)/document" "$WORK/out" || fail "the other program's document is lost"
        [ "$FAULT_STATUS" != 0 ] || grep -rq fromeditor "$WORK/out" || fail "another document was taken out"
    fi
}

durable() {
    [ ! -e "$(folder)/document/paper.txt" ] && ! grep -q document/paper.txt "$(folder)/item.json" &&
        [ "$(cat "$WORK/out/paper.txt")" = paper ]
}

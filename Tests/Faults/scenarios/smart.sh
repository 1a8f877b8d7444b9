name="give a smart folder another query"
modes="$errors EIO+ race $power"

file() { echo "$LIB"/smart/mine-*.json; }

setup() {
    sbfs init && printf "body one" | sbfs add - --title first && sbfs smart add Mine old &&
        sed -i 's/"old"/"old",\n  "mine": "before"/' "$(file)"
}

change() { sbfs smart add Mine new --replace; }

race_sed() { sed -i s/before/fromeditor/ "$(file)"; }
race_vim() { HOME=$WORK vim -u NONE -es -c '%s/before/fromeditor/' -c wq "$(file)"; }
race_ed() { printf ',s/before/fromeditor/\nw\nq\n' | ed -s "$(file)"; }

check() {
    sound
    grep -q '"query": "\(old\|new\)"' "$(file)" || fail "$(cat "$(file)")"
    grep -q '"mine": "before"' "$(file)" || fail "the person's own key is lost"
    [ "$(ls "$LIB"/smart/*.json | wc -l)" = 4 ] || fail "$(ls "$LIB/smart")"
    tidy
}

check_race() {
    sound
    [ "$FAULT_HIT" != 1 ] || grep -q fromeditor "$LIB"/smart/*.json || fail "the other program's change is lost"
    [ "$FAULT_STATUS" != 0 ] || durable || fail "said done, and is not"
}

durable() { grep -q '"query": "new"' "$(file)"; }

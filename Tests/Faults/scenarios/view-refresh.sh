name="bring a view up to date: a new document, a new title, a new item, one that goes, and a person's edits"
# The files of a view are not synced, so after a loss of power it may be behind; the next refresh mends it.
modes="$errors EIO+ power power-meta"
timeout=60
sample_step=11

desk() { echo "$(dirname "$LIB")/desk"; }
view() { echo "$(desk)/StuffBucket"; }

setup() {
    echo "first paper" > "$WORK/paper.txt" && echo "of the library" > "$WORK/edit.txt" && echo goes > "$WORK/goes.txt" &&
        sbfs init && sbfs add "$WORK/paper.txt" --title Paper --tag one && sbfs add "$WORK/edit.txt" --title Edited &&
        sbfs add "$WORK/goes.txt" --title Goes && printf note | sbfs add - --title Renamed --tag two &&
        sbfs view add "$(desk)" --mode copy &&
        printf "a person's edit" > "$(view)/All/Edited.txt" && printf "a person's file" > "$(view)/All/New.md" &&
        echo "second paper" > "$WORK/paper.txt" && sbfs attach Paper "$WORK/paper.txt" --replace --yes &&
        sbfs title Renamed "Other name" && printf "new note" | sbfs add - --title New &&
        sbfs trash Goes && sbfs purge Goes --yes --now
}

change() { sbfs view refresh; }

# Nothing of a person's is ever touched.
foreign() {
    [ "$(cat "$(view)/All/Edited.txt")" = "a person's edit" ] || fail "a person's edit is gone: $(cat "$(view)/All/Edited.txt")"
    [ "$(cat "$(view)/All/New.md")" = "a person's file" ] || fail "a person's file is gone: $(cat "$(view)/All/New.md")"
}

shown() {
    foreign
    [ "$(cat "$(view)/All/Paper.txt")" = "second paper" ] && [ "$(cat "$(view)/All/Other name.md")" = note ] &&
        [ "$(cat "$(view)/All/New (2).md")" = "new note" ] && [ "$(cat "$(view)/Tags/two/Other name.md")" = note ] &&
        [ ! -e "$(view)/All/Goes.txt" ] && [ ! -e "$(view)/All/Renamed.md" ] && [ ! -L "$(view)/Tags/two/Renamed.md" ]
}

check() {
    sound
    foreign
    case $FAULT in
        power*) ;;
        *) grep -qx "first paper" "$(view)/All/Paper.txt" || grep -qx "second paper" "$(view)/All/Paper.txt" ||
            fail "neither the old document nor the new one: $(cat "$(view)/All/Paper.txt")" ;;
    esac
    sbfs view refresh > "$WORK/said" 2>&1 || fail "the next refresh: $(cat "$WORK/said")"
    shown || fail "the next refresh does not show the library: $(ls -R "$(view)")"
    sbfs view changes > "$WORK/said" 2>&1
    [ "$(cut -f 1 "$WORK/said" | tr '\n' ' ')" = "edited own " ] || fail "changes: $(cat "$WORK/said")"
    left=$(find "$(view)" -name ".sbfs-view-*")
    [ -z "$left" ] || fail "left in the view: $left"
    [ "$(find "$(view)/All" -mindepth 1 | wc -l)" = 5 ] || fail "in All: $(ls "$(view)/All")"
    tidy
}

durable() { shown; }

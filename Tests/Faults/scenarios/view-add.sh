name="make a view with a saved page, a document and a text"
modes="$errors EIO+ power power-meta"
timeout=60
sample_step=17

desk() { echo "$(dirname "$LIB")/desk"; }
view() { echo "$(desk)/StuffBucket"; }

setup() {
    mkdir "$(desk)" && printf "a person's file" > "$(desk)/mine.txt" && echo paper > "$WORK/paper.txt" &&
        printf '<!doctype html><title>P</title><h1>P</h1><p>%s</p>' "$(seq 1 300 | tr '\n' ' ')" > "$WORK/page.html" &&
        sbfs init && sbfs add "$WORK/paper.txt" --title Same --tag one && printf note | sbfs add - --title Same -c Work/Deep &&
        sbfs add https://example.org/ --title Page && sbfs archive Page --from "$WORK/page.html"
}

change() { sbfs view add "$(desk)" --mode copy; }

shown() {
    [ "$(cat "$(desk)/mine.txt")" = "a person's file" ] || fail "a person's file is gone"
    [ "$(cat "$(view)/All/Same.txt")" = paper ] && [ "$(cat "$(view)/Collections/Work/Deep/Same.md")" = note ] &&
        [ -s "$(view)/All/Page/page.html" ] && grep -q '^URL=https://example.org/$' "$(view)/All/Page/Page.desktop"
}

check() {
    sound
    [ "$(cat "$(desk)/mine.txt")" = "a person's file" ] || fail "a person's file is gone"
    sbfs view add "$(desk)" --mode copy > "$WORK/said" 2>&1 || fail "adding again: $(cat "$WORK/said")"
    shown || fail "the view does not show the library: $(ls -AR "$(view)")"
    [ "$(sbfs view list | wc -l)" = 1 ] || fail "views: $(sbfs view list)"
    [ "$(find "$(view)/All" -mindepth 1 -maxdepth 1 | wc -l)" = 3 ] || fail "in All: $(ls "$(view)/All")"
    [ -z "$(sbfs view changes 2> /dev/null)" ] || fail "changes: $(sbfs view changes)"
    left=$(find "$(view)" -name ".sbfs-view-*")
    [ -z "$left" ] || fail "left in the view: $left"
    sbfs view remove "$(desk)" > "$WORK/said" 2>&1 || fail "removing: $(cat "$WORK/said")"
    [ "$(ls -A "$(desk)")" = mine.txt ] || fail "left after removing: $(find "$(desk)")"
    sbfs view add "$(desk)" --mode copy > "$WORK/said" 2>&1 || fail "adding a third time: $(cat "$WORK/said")"
    tidy
}

durable() { shown; }

# Saved pages for the scenarios of archives. Files stand in for the network.
# shellcheck shell=bash
export SBFS_OFFLINE=1

# saved_page NAME NUMBER: writes NAME.html, an article, and NAME_files/i.gif, a picture whose colour is NUMBER.
saved_page() {
    local article="" line
    for line in 1 2 3 4 5 6 7 8 9 10 11 12; do
        article+="Line $line: the $1 stones lie in the river and the water wears them down. "
    done
    mkdir "$WORK/$1_files" &&
        printf 'GIF89a\001\000\001\000\200\000\000\000\000\00%s\377\377\377\054\000\000\000\000\001\000\001\000\000\002\002\104\001\000\073' \
            "$2" > "$WORK/$1_files/i.gif" &&
        printf '<!doctype html><title>%s</title><article><h1>%s</h1><p>%s</p><img src="%s_files/i.gif"></article>' \
            "$1" "$1" "$article" "$1" > "$WORK/$1.html"
}

# A library with one link, and two saved pages.
linked_item() {
    sbfs init && saved_page first 1 && saved_page second 2 &&
        sbfs add https://example.org/ --no-archive --title heading > "$WORK/id"
}

# Staging is cleaned by the next command that writes.
next_command() { printf x | sbfs add - --title other > "$WORK/said" 2>&1 || fail "the next command: $(cat "$WORK/said")"; }

# heading FILE: which of the pages a file of the item is; nothing where there is no file.
heading() { [ -f "$(folder)/$1" ] && sed -n 's/.*<h1>\([a-z]*\)<.*/\1/p' "$(folder)/$1" | head -n 1; }

# whole FOLDER: the page and the article there are not cut, and what they refer to is there.
whole() {
    local file asset
    for file in "$1/page.html" "$1/reader.html"; do
        [ -f "$file" ] || continue
        grep -q "Line 12: the" "$file" || fail "cut: $file"
        for asset in $(grep -o 'assets/[0-9a-f.gif]*' "$file"); do
            cmp -s "$1/$asset" "$WORK/first_files/i.gif" || cmp -s "$1/$asset" "$WORK/second_files/i.gif" ||
                fail "missing: $1/$asset"
        done
    done
}

# pages_are "PAGE/READER …": page.html and reader.html are whole, and one of these pairs.
pages_are() {
    local pair
    pair="$(heading page.html)/$(heading reader.html)"
    whole "$(folder)"
    case " $1 " in *" $pair "*) ;; *) fail "page and reader: $pair" ;; esac
}

snapshots_are_whole() {
    local snapshot
    for snapshot in "$(folder)"/snapshots/*/; do
        [ -d "$snapshot" ] || continue
        [ -f "$snapshot/page.html" ] && [ -s "$snapshot/snapshot.json" ] || fail "snapshot $snapshot"
        whole "$snapshot"
    done
}

# is_kept NAME: the page is the item's page, or a snapshot.
is_kept() { grep -q "<h1>$1" "$(folder)/page.html" "$(folder)"/snapshots/*/page.html 2> /dev/null || fail "$1 is lost"; }

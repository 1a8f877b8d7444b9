# The words in which scenarios are written. run.py gives $SBFS, the program; $LIB, the library; $WORK, the folder in which
# functions run; $HERE, this folder; and to checks $FAULT_STATUS, the command's exit status, $FAULT_HIT, 1 where a fault
# happened, and $RACE, the name of the other program.
# shellcheck shell=bash disable=SC2034

# Modes of most scenarios.
errors="kill ENOSPC ENOSPC+ EIO EINTR short"
power="power power-meta power-after power-after-meta"

sbfs() { "$SBFS" --library "$LIB" "$@"; }
bench() { "$SBFS" search "$@"; }
fail() { printf '%s\n' "$*"; exit 1; }

# --- Libraries to begin with

# Two items; the first is the one that changes.
two_items() {
    sbfs init && printf "body text" | sbfs add - --title "old title" && other_item && remember body
}

# An item that no command touches.
other_item() { printf "kept text" | sbfs add - --title "other thing"; }

# Remembers the only item that a query finds.
remember() { sbfs search --ids "$@" > "$WORK/id" && [ "$(wc -l < "$WORK/id")" = 1 ]; }

# --- Two devices that meet through $WORK/exchange

own_settings() { export XDG_CONFIG_HOME="$WORK/config" XDG_STATE_HOME="$WORK/state"; }

# The other device, with settings of its own.
there() { XDG_CONFIG_HOME="$WORK/there" "$SBFS" --library "$WORK/other" "$@" > /dev/null; }

# Two items that both devices have, the first one with a document.
two_devices() {
    own_settings
    two_items || return 1
    printf 'first\n' > "$WORK/plan.txt"
    sbfs attach "$(id)" "$WORK/plan.txt" && sbfs remote add cloud "$WORK/exchange" "$@" && sbfs sync || return 1
    there init --from "$WORK/exchange" && there sync
}

# Both devices have two items. Then the other one replaces the document of the first item, saves a page of it and adds a document.
other_saved_a_page() {
    two_devices "$@" || return 1
    printf 'by the other\n' > "$WORK/plan.txt"
    there attach "$(id)" "$WORK/plan.txt" --replace --yes || return 1
    printf 'secondword\n' > "$WORK/second.txt"
    there add "$WORK/second.txt" || return 1
    set -- "$WORK"/other/items/*/"$(id)"
    printf '<p>pageword</p><img src="assets/0123456789abcdef.png">' > "$1/page.html" && mkdir "$1/assets" &&
        printf '<p>articleword</p>' > "$1/reader.html" && printf 'PNG' > "$1/assets/0123456789abcdef.png" && there sync
}

# --- The item that changes

id() { cat "$WORK/id"; }
folder() { echo "$LIB"/items/*/"$(id)"; }
shard() { id | tail -c 3 | head -c 2; }

# --- What must hold

# Runs "sbfs check", which is also the next command after the fault.
sound() { sbfs check "$@" > "$WORK/said" 2> "$WORK/summary" || fail "check: $(cat "$WORK/said" "$WORK/summary")"; }

# count QUERY…: sets $count to the number of items found.
count() {
    sbfs search --all --ids "$@" > "$WORK/found" 2> "$WORK/said"
    case $? in 0 | 3) ;; *) fail "search $*: $(cat "$WORK/said")" ;; esac
    count=$(wc -l < "$WORK/found")
}

# finds N QUERY…: a query finds exactly N items.
finds() {
    local expected=$1
    shift
    count "$@"
    [ "$count" = "$expected" ] || fail "$* finds $count items, not $expected"
}

# either QUERY QUERY: one of them finds one item, and the other none.
either() {
    count "$1"
    local first=$count
    count "$2"
    [ $((first + count)) = 1 ] || fail "$1 finds $first items, $2 finds $count"
}

# together QUERY QUERY: both find the same number of items, none or one.
together() {
    count "$1"
    local first=$count
    count "$2"
    [ "$first" = "$count" ] && [ "$count" -le 1 ] || fail "$1 finds $first items, $2 finds $count"
}

at_most_one() {
    count "$@"
    [ "$count" -le 1 ] || fail "$* finds $count items"
}

# Nothing is left in staging, no temporary file elsewhere, no empty file.
tidy() {
    [ -z "$(ls -A "$LIB/.sbfs/staging" 2> /dev/null)" ] || fail "left in staging: $(ls -AR "$LIB/.sbfs/staging")"
    local stray
    stray=$(find "$LIB" -name ".sbfs-new-*" -o -name "*.new")
    [ -z "$stray" ] || fail "stray files: $stray"
    for place in items collections tags smart; do
        [ ! -d "$LIB/$place" ] || stray+=$(find "$LIB/$place" -name "*.json" -size 0)
    done
    [ -z "$stray" ] || fail "empty files: $stray"
}

# --- Another program that saves at the same moment

# editor --title|--tag|--para fromeditor: reads the item, changes one thing, and renames a new file over the old one.
editor() { python3 "$HERE/editor.py" save "$LIB" "$(id)" "$@"; }

# both_saved WORD: the other program's change and ours, with WORD, are both there, or ours was refused and kept.
both_saved() {
    sound
    python3 "$HERE/editor.py" check "$LIB" "$(id)" --mine "$1" --theirs fromeditor
}

# item.json holds "before"; a commit with the tag "theirs" holds "fromeditor" in its place.
commit_theirs() {
    sbfs set "$(id)" description=before || return 1
    local file
    file=$(folder)/item.json
    git -C "$LIB" init -q && git -C "$LIB" config user.name a && git -C "$LIB" config user.email a@example.org &&
        git -C "$LIB" add -A && git -C "$LIB" commit -qm one && cp "$file" "$WORK/was" &&
        sed -i s/before/fromeditor/ "$file" && git -C "$LIB" commit -qam two && git -C "$LIB" tag theirs &&
        git -C "$LIB" reset -q --soft HEAD~1 && cp "$WORK/was" "$file" && git -C "$LIB" reset -q
}

# Programs that change "before" in item.json: a new file renamed over the old one; the old one renamed away and a new one
# written; written in place, twice; deleted and written.
with_sed() { sed -i s/before/fromeditor/ "$(folder)/item.json"; }
with_vim() { HOME=$WORK vim -u NONE -es -c '%s/before/fromeditor/' -c wq "$(folder)/item.json"; }
with_ed() { printf ',s/before/fromeditor/\nw\nq\n' | ed -s "$(folder)/item.json"; }
with_nano() { HOME=$WORK python3 "$HERE/nano.py" "$(folder)/item.json" before fromeditor; }
with_git() { git -C "$LIB" checkout -q theirs -- "items/$(shard)"; }

# The same programs change "before" in library.json.
settings_with_sed() { sed -i s/before/fromeditor/ "$LIB/library.json"; }
settings_with_vim() { HOME=$WORK vim -u NONE -es -c '%s/before/fromeditor/' -c wq "$LIB/library.json"; }
settings_with_ed() { printf ',s/before/fromeditor/\nw\nq\n' | ed -s "$LIB/library.json"; }
settings_with_nano() { HOME=$WORK python3 "$HERE/nano.py" "$LIB/library.json" before fromeditor; }

# A checkout replaces what is there without reading it: of it only its own version must be there in the end.
both_saved_or_checked_out() {
    if [ "$RACE" = git ] && [ "$FAULT_HIT" = 1 ]; then
        sound
        grep -rq fromeditor "$(folder)" || fail "the version that was checked out is lost"
    else
        both_saved "$1"
    fi
}

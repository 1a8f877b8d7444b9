name="sync of a thin device: take items, and leave their pages and documents to the exchange"
modes="$errors EIO+ $power"
sample_step=25

# The exchange is $WORK/exchange. The other device replaced the document of the first item, saved a page of it and added a document.
setup() {
    own_settings
    two_items || return 1
    printf 'first\n' > "$WORK/plan.txt"
    sbfs attach "$(id)" "$WORK/plan.txt" && sbfs remote add cloud "$WORK/exchange" --thin && sbfs sync || return 1
    there init --from "$WORK/exchange" && there sync || return 1
    printf 'by the other\n' > "$WORK/plan.txt"
    there attach "$(id)" "$WORK/plan.txt" --replace --yes || return 1
    printf 'secondword\n' > "$WORK/second.txt"
    there add "$WORK/second.txt" || return 1
    set -- "$WORK"/other/items/*/"$(id)"
    printf '<p>pageword</p><img src="assets/0123456789abcdef.png">' > "$1/page.html" && mkdir "$1/assets" &&
        printf '<p>articleword</p>' > "$1/reader.html" && printf 'PNG' > "$1/assets/0123456789abcdef.png" && there sync
}

own_settings() { export XDG_CONFIG_HOME="$WORK/config" XDG_STATE_HOME="$WORK/state"; }

# The other device, with settings of its own.
there() { XDG_CONFIG_HOME="$WORK/there" "$SBFS" --library "$WORK/other" "$@" > /dev/null; }

change() { own_settings; sbfs sync; }

check() {
    own_settings
    sound
    finds 1 kept
    tidy
    # `durable` comes after this.
    if grep -rqs 'second.txt' "$LIB/items"; then touch "$WORK/taken"; fi
    sbfs sync > /dev/null 2> "$WORK/said" || fail "the next sync failed: $(cat "$WORK/said")"
    for word in pageword articleword; do finds 1 "$word"; done
    is_thin || fail "files stay here"
    for item in "$LIB"/items/*/*; do
        sbfs keep "${item##*/}" > /dev/null 2> "$WORK/said" || fail "the files do not come back: $(cat "$WORK/said")"
    done
    there sync 2> "$WORK/said" || fail "the other device's sync failed: $(cat "$WORK/said")"
    sbfs sync > /dev/null || fail "the last sync failed"
    diff -r -x .sbfs "$LIB/items" "$WORK/other/items" > "$WORK/said" || fail "the devices differ: $(cat "$WORK/said")"
}

# An empty folder may stay.
is_thin() {
    [ -e "$LIB/items" ] && grep -rqs 'second.txt' "$LIB/items" &&
        [ -z "$(find "$LIB/items" -type f -path '*/document/*' -o -type f -name page.html)" ]
}

# What a fault leaves here goes with the next sync.
durable() { [ -e "$WORK/taken" ]; }

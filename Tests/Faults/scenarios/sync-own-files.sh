name="sync: take changes and removals of a person's own files, and write those of this device"
modes="$errors EIO+ $power"
sample_step=10

# Both devices have an item with files of the person's own. Then the other one changes log.txt, both.txt and mixed.txt and removes
# gone.txt; this one changes both.txt and own.txt, removes mixed.txt and makes new.txt.
setup() {
    own_settings
    two_items || return 1
    set -- "$(folder)"
    for name in log both mixed gone own; do printf 'first %s\n' "$name" > "$1/$name.txt"; done
    sbfs remote add cloud "$WORK/exchange" && sbfs sync || return 1
    there init --from "$WORK/exchange" && there sync || return 1
    set -- "$1" "$WORK"/other/items/*/"$(id)"
    for name in log both mixed; do printf 'their %s\n' "$name" > "$2/$name.txt"; done
    rm "$2/gone.txt" && there sync || return 1
    printf 'our both\n' > "$1/both.txt"
    printf 'our own\n' > "$1/own.txt"
    printf 'our new\n' > "$1/new.txt"
    rm "$1/mixed.txt"
}

change() { own_settings; sbfs sync; }

# holds FILE TEXT: a file of the item on a device, the folder $place, has these words; FILE may be a pattern.
holds() { cat "$place"/items/*/"$(id)"/$1 2> "$WORK/said" | grep -qx "$2" || fail "$2 is not in $1 of $place"; }

check() {
    own_settings
    sound
    finds 1 kept
    tidy
    place=$LIB
    holds "both*.txt" "our both"
    holds own.txt "our own"
    holds new.txt "our new"
    there sync 2> "$WORK/said" || fail "the other device cannot read the exchange: $(cat "$WORK/said")"
    place=$WORK/other
    holds "both*.txt" "their both"
    for device in sbfs there sbfs; do
        "$device" sync > "$WORK/out" 2> "$WORK/said" || fail "the next sync failed: $(cat "$WORK/said")"
    done
    for place in "$LIB" "$WORK/other"; do
        holds "both*.txt" "our both"
        holds "both*.txt" "their both"
        holds own.txt "our own"
        holds new.txt "our new"
        holds log.txt "their log"
        holds mixed.txt "their mixed"
        [ ! -e "$place"/items/*/"$(id)"/gone.txt ] || fail "gone.txt is in $place"
    done
    diff -r -x .sbfs "$LIB/items" "$WORK/other/items" > "$WORK/said" || fail "the devices differ: $(cat "$WORK/said")"
}

durable() {
    own_settings
    place=$LIB
    holds log.txt "their log"
    holds "both*.txt" "their both"
    [ "$("$SBFS" --library "$LIB" sync 2> "$WORK/said")" = "cloud: nothing to do (1 other device)" ]
}

name="delete what nothing in an exchange names, and empty it"
modes="$errors EIO+ $power"
sample_step=6

# The exchange has an object that nothing names. This device saw it long ago.
setup() {
    own_settings
    two_items || return 1
    printf 'plan\n' > "$WORK/plan.txt"
    sbfs attach "$(id)" "$WORK/plan.txt" && sbfs remote add cloud "$WORK/exchange" && sbfs sync || return 1
    there init --from "$WORK/exchange" && there sync && sbfs sync || return 1
    mkdir -p "$WORK/exchange/objects/ab" && printf 'unused' > "$WORK/exchange/objects/ab/$(unused)" || return 1
    sbfs remote prune cloud && sed -i '/"unused"/,/}/s/"20[0-9-]*T/"2020-01-01T/' "$LIB"/.sbfs/sync/*/memory.json || return 1
    cp -a "$LIB/items" "$WORK/before"
}

unused() { printf 'ab%.0s' $(seq 32); }

change() { own_settings; sbfs remote prune cloud && sbfs reset --remote cloud --yes; }

# Whatever was removed, both devices write it again, and nobody loses anything.
check() {
    own_settings
    sound --read-data
    tidy
    local device
    for device in there sbfs there sbfs; do
        "$device" sync > /dev/null 2> "$WORK/said" || fail "a sync failed: $(cat "$WORK/said")"
    done
    diff -r "$LIB/items" "$WORK/before" > "$WORK/said" || fail "the items differ: $(cat "$WORK/said")"
    diff -r "$LIB/items" "$WORK/other/items" > "$WORK/said" || fail "the devices differ: $(cat "$WORK/said")"
    XDG_CONFIG_HOME="$WORK/third" "$SBFS" init "$WORK/new" --from "$WORK/exchange" > /dev/null 2>&1 &&
        XDG_CONFIG_HOME="$WORK/third" "$SBFS" --library "$WORK/new" sync > /dev/null 2> "$WORK/said" || fail "a new device: $(cat "$WORK/said")"
    diff -r "$LIB/items" "$WORK/new/items" > "$WORK/said" || fail "a new device lacks something: $(cat "$WORK/said")"
    rm -rf "$WORK/new" "$WORK/third"
}

durable() { own_settings; [ ! -e "$WORK/exchange/objects/ab/$(unused)" ]; }

name="export over an old file"
modes="$errors EIO+ $power"
timeout=60
# The export lies beside the library, in the folder that faults and losses of power reach.
place=$LIB
LIB=$place/library

setup() {
    two_items && sbfs add https://example.org/a --no-archive --title linked && echo "the old export" > "$place/out.json" &&
        sync -f "$place"
}

change() { sbfs export --format json -o "$place/out.json"; }

check() {
    sound
    finds 1 kept
    if [ "$(cat "$place/out.json")" != "the old export" ]; then
        python3 -c 'import json, sys; sys.exit(len(json.load(open(sys.argv[1]))) != 3)' "$place/out.json" ||
            fail "neither the old export nor the whole new one: $(head -c 200 "$place/out.json")"
    fi
    # A run that was killed may leave a temporary file; the next one removes it.
    sbfs export --format json -o "$place/out.json" > "$WORK/said" 2>&1 || fail "again: $(cat "$WORK/said")"
    left=$(find "$place" -maxdepth 1 -name '*out.json*' ! -name out.json)
    [ -z "$left" ] || fail "left beside the export: $left"
    tidy
}

durable() { python3 -c 'import json, sys; sys.exit(len(json.load(open(sys.argv[1]))) != 3)' "$place/out.json"; }

name="export over an old file"
modes="$errors EIO+ $power"
timeout=60

setup() {
    two_items && sbfs add https://example.org/a --no-archive --title linked && echo "the old export" > "$LIB/out.json" &&
        sync -f "$LIB"
}

# The file lies beside the items, so that faults and losses of power reach it.
change() { sbfs export --format json -o "$LIB/out.json"; }

check() {
    sound
    finds 1 kept
    if [ "$(cat "$LIB/out.json")" != "the old export" ]; then
        python3 -c 'import json, sys; sys.exit(len(json.load(open(sys.argv[1]))) != 3)' "$LIB/out.json" ||
            fail "neither the old export nor the whole new one: $(head -c 200 "$LIB/out.json")"
    fi
    # A run that was killed may leave a temporary file; the next one removes it.
    sbfs export --format json -o "$LIB/out.json" > "$WORK/said" 2>&1 || fail "again: $(cat "$WORK/said")"
    left=$(find "$LIB" -maxdepth 1 -name '*out.json*' ! -name out.json)
    [ -z "$left" ] || fail "left beside the export: $left"
    tidy
}

durable() { python3 -c 'import json, sys; sys.exit(len(json.load(open(sys.argv[1]))) != 3)' "$LIB/out.json"; }

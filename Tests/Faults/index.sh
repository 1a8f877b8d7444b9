# Scenarios of the search index, driven by sbfs-bench: $LIB is the index.
# shellcheck shell=bash

state() { bench state --index "$1"; }

# answers STATE STATE: the index is in one of these states, takes the next commit, and merges.
answers() {
    local now number more copy=$WORK/copy
    now=$(state "$LIB") || fail "$now"
    [ "$now" = "$1" ] || [ "$now" = "$2" ] || fail "state: $now"
    number=${now#commit }
    number=${number%%,*}
    more=${now#*, }
    rm -rf "$copy"
    cp -r "$LIB" "$copy"
    bench commit --index "$copy" --number $((number + 1)) || fail "the next commit fails"
    [ "$(state "$copy")" = "commit $((number + 1)), $more" ] || fail "then: $(state "$copy")"
    bench commit --index "$copy" --number $((number + 2)) --merge yes || fail "the merge fails"
    [ "$(ls "$copy"/*.log | wc -l)" = 1 ] && [ ! -e "$copy/manifest-new" ] || fail "left: $(ls "$copy")"
    [ "$(state "$copy")" = "commit $((number + 2)), $more" ] || fail "merged: $(state "$copy")"
}

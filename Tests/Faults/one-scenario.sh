#!/bin/sh
# Runs one scenario for Scripts/fault-sweep, and leaves a file NAME.passed in $FAULT_WORK if no fault did harm.
#   one-scenario.sh NUMBER FILE   $SBFS_BINARY and $SBFS_BENCH are the programs; $FAULT_SAMPLE is not empty for a part of the calls
set -eu
number=$1 scenario=$2
name=$(basename "$scenario" .sh)
work=$FAULT_WORK/$name
mkdir -p "$work"
export XDG_STATE_HOME="$work/state" XDG_CONFIG_HOME="$work/config" XDG_CACHE_HOME="$work/cache" EDITOR=true
# The loss of power shuts a mounted image down. Another mount namespace made meanwhile, by a test or a container,
# would keep a copy of that mount with the dead file system, and every file would fail with EIO. So a separate namespace is
# used.
apart=""
if [ "$(id -u)" = 0 ] && unshare --mount true 2>/dev/null; then apart="unshare --mount"; fi
[ -n "$apart" ] || echo "$name: the loss of power is left out: it needs root, and mounts" >&2
modes=""
if [ -n "$FAULT_SAMPLE" ]; then
    # Every fifth call; in a scenario with hundreds of calls, every n-th. Two of four kinds of errors, others in the
    # next scenario: scenarios next to each other take the same path through the store.
    step=$(sed -n 's/^sample_step=//p' "$scenario")
    if [ "$((number % 2))" = 0 ]; then errors="--mode EIO --mode EINTR"; else errors="--mode ENOSPC+ --mode short"; fi
    modes="--mode kill $errors --mode race --step ${step:-5}"
    [ -z "$apart" ] || modes="$modes --mode power-meta --mode power-after-meta"
elif [ "$(id -u)" != 0 ]; then
    modes="--mode kill --mode EIO --mode EIO+ --mode ENOSPC --mode ENOSPC+ --mode EDQUOT --mode EACCES --mode EROFS"
    modes="$modes --mode EMFILE --mode EINTR --mode short --mode race"
fi
# Scenarios of the search index use the benchmark program.
program=$SBFS_BINARY
if grep -q '^program=sbfs-bench$' "$scenario"; then program=$SBFS_BENCH; fi
# shellcheck disable=SC2086
if $apart python3 "$(dirname -- "$0")/run.py" "$scenario" --bin "$program" --work "$work" $modes > "$work/said" 2>&1; then
    : > "$FAULT_WORK/$name.passed"
fi
{ echo "-- $name"; cat "$work/said"; } >&2

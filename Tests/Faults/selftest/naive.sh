name="a store that writes in place"
modes="kill ENOSPC EIO short race"

setup() { sbfs set old; }

change() { sbfs set new; }

race_editor() { sbfs set fromeditor; }

whole() { [ "$(sbfs get)" = "$(for _ in $(seq 4000); do printf %s "$1"; done)" ]; }

check() { whole old || whole new; }

check_race() { [ "$FAULT_HIT" = 0 ] || whole fromeditor || fail "the other program's change is lost"; }

durable() { whole new; }

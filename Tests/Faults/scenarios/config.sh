name="change a setting"
modes="kill ENOSPC ENOSPC+ EIO EINTR short $power"

setup() { two_items; }

change() { sbfs config purgeDays 30; }

check() {
    sound
    finds 1 kept
    days=$(sbfs config purgeDays)
    [ "$days" = 10 ] || [ "$days" = 30 ] || fail "purgeDays: $days"
    tidy
}

durable() { [ "$(sbfs config purgeDays)" = 30 ]; }

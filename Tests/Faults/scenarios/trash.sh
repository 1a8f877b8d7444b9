name="trash an item"
modes="$errors EIO+ race $power"

setup() { two_items && commit_theirs; }

change() { sbfs trash "$(id)"; }

race_tag() { editor --tag fromeditor; }
race_title() { editor --title fromeditor; }
race_sed() { with_sed; }
race_vim() { with_vim; }
race_ed() { with_ed; }
race_nano() { with_nano; }
race_git() { with_git; }

check() {
    sound
    finds 1 kept
    listed=$(sbfs list --ids | wc -l)
    [ "$listed" = 1 ] || [ "$listed" = 2 ] || fail "list: $listed"
    [ "$(find "$LIB" -name item.json -path "*/$(id)/*" | wc -l)" = 1 ] || fail "the item is lost"
    tidy
}

check_race() { both_saved_or_checked_out trashedAt; }

durable() { ! sbfs list --ids | grep -qxF "$(id)"; }

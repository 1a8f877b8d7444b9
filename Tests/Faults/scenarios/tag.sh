name="add a tag"
modes="$errors EIO+ race $power"

setup() { two_items && commit_theirs; }

change() { sbfs tag add "$(id)" sometag; }

race_tag() { editor --tag fromeditor; }
race_title() { editor --title fromeditor; }
race_text() { editor --para fromeditor; }
race_sed() { with_sed; }
race_vim() { with_vim; }
race_ed() { with_ed; }
race_nano() { with_nano; }
race_git() { with_git; }

check() {
    sound
    finds 1 kept
    finds 1 body
    finds 1 old
    at_most_one sometag
    tidy
}

check_race() { both_saved_or_checked_out sometag; }

durable() { grep -q '"sometag"' "$(folder)/item.json"; }

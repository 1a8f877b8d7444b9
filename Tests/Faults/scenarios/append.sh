name="append to the text"
modes="$errors EIO+ race $power"

setup() { two_items; }

change() { sbfs append "$(id)" "last words"; }

race_tag() { editor --tag fromeditor; }
race_title() { editor --title fromeditor; }
race_text() { editor --para fromeditor; }

check() {
    sound
    finds 1 kept
    finds 1 body
    at_most_one last
    tidy
}

check_race() { both_saved "last words"; }

durable() { [ "$(sbfs search --ids last)" = "$(id)" ]; }

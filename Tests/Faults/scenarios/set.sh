name="set two fields"
modes="$errors EIO+ race $power"

setup() { two_items; }

change() { sbfs set "$(id)" description=heading isFavorite=true; }

race_tag() { editor --tag fromeditor; }
race_title() { editor --title fromeditor; }
race_text() { editor --para fromeditor; }

check() {
    sound
    finds 1 kept
    finds 1 body
    together heading is:favorite
    tidy
}

check_race() { both_saved heading; }

durable() { [ "$(sbfs search --ids heading is:favorite)" = "$(id)" ]; }

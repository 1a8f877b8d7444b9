name="put an item into a collection"
modes="$errors EIO+ race $power"

setup() { two_items; }

change() { sbfs collection add "$(id)" Shelf/Inner; }

race_tag() { editor --tag fromeditor; }
race_title() { editor --title fromeditor; }
race_text() { editor --para fromeditor; }

check() {
    sound
    finds 1 kept
    finds 1 body
    at_most_one collection:Shelf
    tidy
}

check_race() { both_saved collection:Shelf; }

durable() { [ "$(sbfs search --ids collection:Shelf/Inner)" = "$(id)" ]; }

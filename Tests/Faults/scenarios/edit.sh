name="edit item.json in an editor"
modes="$errors EIO+ race $power"

setup() { two_items; }

# A save before the editor opens the file is shown in it, and the person adds to the title that they see.
change() { EDITOR='sed -i -e s/old.title/new_heading/ -e s/"fromeditor"/"fromeditor_new_heading"/' sbfs edit "$(id)"; }

race_tag() { editor --tag fromeditor; }
race_title() { editor --title fromeditor; }
race_text() { editor --para fromeditor; }

check() {
    sound
    finds 1 kept
    either old heading
    finds 1 body
    tidy
}

check_race() { both_saved new_heading; }

durable() { [ "$(sbfs search --ids heading)" = "$(id)" ]; }

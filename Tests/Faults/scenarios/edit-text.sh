name="edit the text in an editor"
modes="$errors EIO+ race $power"

setup() { two_items; }

change() { EDITOR='sed -i s/body/figure/' sbfs edit "$(id)" --text; }

race_tag() { editor --tag fromeditor; }
race_text() { editor --para fromeditor; }

check() {
    sound
    finds 1 kept
    finds 1 old
    either body figure
    tidy
}

check_race() { both_saved figure; }

durable() { [ "$(sbfs search --ids figure)" = "$(id)" ]; }

name="leave a page and a document to an exchange"
modes="$errors EIO+ race $power"
sample_step=10

# $WORK/before holds the item's files as they were.
setup() {
    own_settings
    two_items || return 1
    printf '<p>pageword</p><img src="assets/0123456789abcdef.png">' > "$(folder)/page.html" &&
        printf '<p>articleword</p>' > "$(folder)/reader.html" && mkdir "$(folder)/assets" &&
        printf 'PNG' > "$(folder)/assets/0123456789abcdef.png" && printf 'plan\n' > "$WORK/plan.txt" &&
        sbfs attach "$(id)" "$WORK/plan.txt" && sbfs remote add cloud "$WORK/exchange" && sbfs sync &&
        cp -a "$(folder)" "$WORK/before"
}

change() { own_settings; sbfs drop "$(id)"; }

# Another program saves the page or the document.
race_page() { if [ -e "$(folder)/page.html" ]; then save page.html; fi; }
race_document() { if [ -e "$(folder)/document/plan.txt" ]; then save document/plan.txt; fi; }
save() {
    echo fromeditor > "$(folder)/saved" && mv "$(folder)/saved" "$(folder)/$1"
    touch "$WORK/came"
}

check() {
    own_settings
    sound
    finds 1 kept
    for word in pageword articleword plan.txt; do finds 1 "$word"; done
    tidy
    # `durable` comes after this.
    if is_dropped; then touch "$WORK/dropped"; fi
    back
    diff -r -x history "$(folder)" "$WORK/before" > "$WORK/said" || fail "the files are not as they were: $(cat "$WORK/said")"
}

back() {
    sbfs keep "$(id)" > /dev/null 2> "$WORK/said" || fail "the files do not come back: $(cat "$WORK/said")"
}

check_race() {
    own_settings
    sound
    if [ -e "$WORK/came" ]; then
        grep -rqs fromeditor "$(folder)" || fail "the other program's save is lost"
    fi
    back
    if [ -e "$WORK/came" ]; then
        grep -rqs fromeditor "$(folder)" || fail "the other program's save is lost by what came back"
    fi
    tidy
}

# An empty folder may stay.
is_dropped() { [ "$(find "$(folder)" -type f -not -path '*/history/*' | wc -l)" = 2 ]; }

durable() { [ -e "$WORK/dropped" ]; }

name="bring a page and a document back from an exchange"
modes="$errors EIO+ $power"
sample_step=10

setup() {
    own_settings
    two_items || return 1
    printf '<p>pageword</p>' > "$(folder)/page.html" && printf 'plan\n' > "$WORK/plan.txt" &&
        sbfs attach "$(id)" "$WORK/plan.txt" && sbfs remote add cloud "$WORK/exchange" && sbfs sync &&
        cp -a "$(folder)" "$WORK/before" && sbfs drop "$(id)"
}

change() { own_settings; sbfs keep "$(id)"; }

check() {
    own_settings
    sound
    finds 1 kept
    for word in pageword plan.txt has:archive has:document; do finds 1 "$word"; done
    tidy
    # A file that is here is whole.
    for file in page.html document/plan.txt; do
        [ ! -e "$(folder)/$file" ] || cmp -s "$(folder)/$file" "$WORK/before/$file" || fail "$file is not whole"
    done
    # `durable` comes after this.
    if diff -r -x history "$(folder)" "$WORK/before" > /dev/null; then touch "$WORK/kept"; fi
    sbfs keep "$(id)" > /dev/null 2> "$WORK/said" || fail "the files do not come back: $(cat "$WORK/said")"
    diff -r -x history "$(folder)" "$WORK/before" > "$WORK/said" || fail "the files are not as they were: $(cat "$WORK/said")"
}

durable() { [ -e "$WORK/kept" ]; }

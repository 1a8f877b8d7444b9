name="bring damaged and missing files back from an exchange"
modes="$errors EIO+ race $power"
sample_step=8

# $WORK/before holds the item's files as they were. The document and a file of the page are damaged, the page is missing.
setup() {
    own_settings
    two_items || return 1
    printf '<p>pageword</p><img src="assets/b96fd2ff2e4ec1f3.png">' > "$(folder)/page.html" &&
        printf '<p>articleword</p>' > "$(folder)/reader.html" && mkdir "$(folder)/assets" || return 1
    printf 'PNG' > "$(folder)/assets/asset" &&
        mv "$(folder)/assets/asset" "$(folder)/assets/$(sha256sum < "$(folder)/assets/asset" | cut -c1-16).png" &&
        sed -i "s/b96fd2ff2e4ec1f3/$(basename "$(folder)"/assets/*.png .png)/" "$(folder)/page.html" || return 1
    printf 'plan for the garden\n' > "$WORK/plan.txt"
    sbfs attach "$(id)" "$WORK/plan.txt" && sbfs set "$(id)" archiveStatus=full && sbfs remote add cloud "$WORK/exchange" && sbfs sync &&
        cp -a "$(folder)" "$WORK/before" || return 1
    local file
    for file in "$(folder)/document/plan.txt" "$(folder)"/assets/*.png; do
        touch -r "$file" "$WORK/time" && printf 'X' | dd of="$file" bs=1 seek=1 conv=notrunc 2> /dev/null && touch -r "$WORK/time" "$file" || return 1
    done
    rm "$(folder)/page.html"
}

change() { own_settings; sbfs repair --from cloud; }

# Another program saves the document.
race_document() {
    echo fromeditor > "$(folder)/document/saved" && mv "$(folder)/document/saved" "$(folder)/document/plan.txt"
    touch "$WORK/came"
}

check() {
    own_settings
    finds 1 kept
    tidy
    sbfs repair --from cloud > /dev/null 2> "$WORK/said" || fail "the next repair failed: $(cat "$WORK/said")"
    diff -r -x history "$(folder)" "$WORK/before" > "$WORK/said" || fail "the files are not as they were: $(cat "$WORK/said")"
    sound --read-data
}

check_race() {
    own_settings
    if [ -e "$WORK/came" ]; then
        grep -rqs fromeditor "$(folder)" || fail "the other program's save is lost"
    fi
    tidy
}

durable() { own_settings; diff -r -x history "$(folder)" "$WORK/before" > /dev/null; }

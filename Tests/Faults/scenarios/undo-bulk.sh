name="undo a change of several items"
modes="$errors EIO+ race $power"
timeout=60

setup() {
    two_items || return 1
    for number in 1 2 3; do printf "text %s" "$number" | sbfs add - --title "thing $number"; done
    # What the person does in the editor.
    cat > "$WORK/editor" << 'END'
#!/bin/sh
changed=$(sed -e 's/old title/new heading/' -e 's/thing \(.\)/stone \1/' "$1") && printf '%s\n' "$changed" > "$1"
END
    chmod +x "$WORK/editor"
    XDG_STATE_HOME=$WORK/state EDITOR=$WORK/editor sbfs bulk --yes
}

change() { sbfs undo; }

race_tag() { editor --tag fromeditor; }
race_title() { editor --title fromeditor; }

check() {
    sound
    finds 1 kept
    either old heading
    count thing
    things=$count
    count stone
    [ $((things + count)) = 4 ] || fail "thing $things, stone $count"
    finds 1 body
    sbfs log > /dev/null || fail "the log cannot be read"
    tidy
}

check_race() {
    sound
    [ "$FAULT_HIT" != 1 ] || grep -rq fromeditor "$(folder)" || fail "the other program's change is lost"
}

durable() {
    [ "$(sbfs search --ids old)" = "$(id)" ] && finds 0 stone
}

name="write a new snippet in the editor"
modes="$errors EIO+ $power"

setup() {
    sbfs init && other_item && printf "fresh words" > "$WORK/typed" && cat > "$WORK/editor" << END
#!/bin/sh
cp "$WORK/typed" "\$1" && cmp -s "$WORK/typed" "\$1" && : > "$WORK/saved"
END
    chmod +x "$WORK/editor"
}

change() { XDG_STATE_HOME=$WORK/state EDITOR=$WORK/editor sbfs new heading; }

check() {
    sound
    finds 1 kept
    together heading fresh
    [ ! -e "$WORK/saved" ] || [ "$count" = 1 ] || grep -rqx "fresh words" "$WORK/state/sbfs/drafts" ||
        fail "what was saved in the editor is nowhere"
    tidy
}

durable() {
    finds 1 heading
    finds 1 fresh
}

name="take an edited copy from a view"
modes="$errors EIO+ $power"
timeout=60
sample_step=7

desk() { echo "$(dirname "$LIB")/desk"; }

setup() {
    echo "old paper" > "$WORK/paper.txt" && sbfs init && sbfs add "$WORK/paper.txt" --title heading && other_item && remember heading &&
        sbfs view add "$(desk)" --mode copy && echo "edited paper" > "$(desk)/StuffBucket/All/heading.txt"
}

change() { sbfs view adopt "$(desk)/StuffBucket/All/heading.txt"; }

check() {
    sound
    grep -qx "edited paper" "$(desk)/StuffBucket/All/heading.txt" || fail "the edit is gone"
    grep -qx "old paper" "$(folder)/document/paper.txt" || grep -qx "edited paper" "$(folder)/document/paper.txt" ||
        fail "neither the old document nor the edited one"
    finds 1 heading
    tidy
}

durable() { grep -qx "edited paper" "$(folder)/document/paper.txt"; }

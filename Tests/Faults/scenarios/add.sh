name="add a snippet"
modes="$errors EDQUOT EACCES EROFS EMFILE $power"

setup() { sbfs init && other_item; }

change() { printf "fresh words" | sbfs add - --title "new heading"; }

check() {
    sound
    finds 1 kept
    together heading fresh
    tidy
}

durable() {
    finds 1 heading
    finds 1 fresh
}

name="a commit and a merge of the search index"
program=sbfs-bench
modes="$errors EIO+"
. "$HERE/index.sh"

setup() {
    bench commit --index "$LIB" --number 1 --fill 40 --merge yes &&
        for number in 2 3 4; do bench commit --index "$LIB" --number $number || return 1; done
}

change() { bench commit --index "$LIB" --number 5 --merge yes; }

check() { answers "commit 4, 40 more" "commit 5, 40 more"; }

durable() { [ "$(bench state --index "$LIB")" = "commit 5, 40 more" ]; }

name="a commit of the search index"
program=sbfs-bench
modes="$errors EIO+"
. "$HERE/index.sh"

setup() {
    bench commit --index "$LIB" --number 1 --fill 40 --merge yes && bench commit --index "$LIB" --number 2
}

change() { bench commit --index "$LIB" --number 3; }

check() { answers "commit 2, 40 more" "commit 3, 40 more"; }

durable() { [ "$(bench state --index "$LIB")" = "commit 3, 40 more" ]; }

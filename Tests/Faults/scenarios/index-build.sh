name="a new search index in place of another"
program=sbfs-bench
modes="$errors EIO+"
. "$HERE/index.sh"

setup() {
    bench build --index "$LIB" --number 3 --fill 60 && bench commit --index "$LIB" --number 4
}

change() { bench build --index "$LIB" --number 7 --fill 900; }

check() { answers "commit 4, 60 more" "commit 7, 900 more"; }

durable() { [ "$(bench state --index "$LIB")" = "commit 7, 900 more" ]; }

name="the first commit of a search index"
program=sbfs-bench
modes="$errors EIO+"
. "$HERE/index.sh"

setup() {
    true
}

change() { bench commit --index "$LIB" --number 1; }

check() { answers "commit 0, 0 more" "commit 1, 0 more"; }

durable() { [ "$(bench state --index "$LIB")" = "commit 1, 0 more" ]; }

name="replace an item's archive by another"
modes="kill ENOSPC ENOSPC+ EIO EINTR short $power"
sample_step=5
confined=.sbfs/staging
timeout=60
. "$HERE/pages.sh"

setup() { linked_item && sbfs archive "$(id)" --from "$WORK/first.html"; }

change() { sbfs archive "$(id)" --from "$WORK/second.html"; }

check() {
    next_command
    sound
    pages_are "first/first second/first second/second"
    snapshots_are_whole
    is_kept first
    tidy
}

durable() {
    [ "$(heading page.html)/$(heading reader.html)" = second/second ] && grep -q '<h1>first' "$(folder)"/snapshots/*/page.html
}

name="make an earlier capture the archive again"
modes="kill ENOSPC ENOSPC+ EIO EINTR short $power"
sample_step=5
confined=.sbfs/staging
timeout=60
. "$HERE/pages.sh"

setup() {
    linked_item && sbfs archive "$(id)" --from "$WORK/first.html" && sbfs archive "$(id)" --from "$WORK/second.html"
}

change() { sbfs restore-snapshot "$(id)" latest; }

check() {
    next_command
    sound
    pages_are "second/second first/second first/first"
    snapshots_are_whole
    is_kept first
    is_kept second
    tidy
}

durable() {
    [ "$(heading page.html)/$(heading reader.html)" = first/first ] && grep -q '<h1>second' "$(folder)"/snapshots/*/page.html
}

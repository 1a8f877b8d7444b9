name="make a saved file the first archive of an item"
modes="kill ENOSPC ENOSPC+ EIO EINTR short $power"
sample_step=5
confined=.sbfs/staging
timeout=60
. "$HERE/pages.sh"

setup() { linked_item; }

change() { sbfs archive "$(id)" --from "$WORK/first.html"; }

check() {
    next_command
    sound
    pages_are "/ first/ first/first"
    snapshots_are_whole
    tidy
}

durable() {
    [ "$(heading page.html)/$(heading reader.html)" = first/first ] &&
        grep -q '"archiveStatus": "full"' "$(folder)/item.json"
}

name="add forty links in one group"
modes="kill ENOSPC EIO EINTR short power-meta power-after power-after-meta"
sample_step=17
timeout=60

setup() {
    sbfs init && other_item
    for number in $(seq 1 40); do echo "https://example.org/page/$number"; done > "$WORK/links"
}

change() { sbfs add --input "$WORK/links"; }

check() {
    sound
    finds 1 kept
    links=$(sbfs list type:link --ids | sort -u | wc -l)
    urls=$(sbfs list type:link --format tsv | cut -f 7 | sort -u | wc -l)
    [ "$links" = "$urls" ] && [ "$links" -le 40 ] || fail "$links links, $urls different ones"
    tidy
}

durable() { [ "$(sbfs list type:link --ids | wc -l)" = 40 ]; }

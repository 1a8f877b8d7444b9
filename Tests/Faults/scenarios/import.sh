name="import bookmarks, one of them known, into a library; run again, the end is the same"
modes="$errors EIO+ $power"
timeout=60

setup() {
    sbfs init && sbfs add https://example.org/known --no-archive --title mine &&
        cat > "$WORK/marks.html" << 'END'
<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p>
<DT><H3>Work</H3>
<DL><p>
<DT><A HREF="https://example.org/known" ADD_DATE="1500000000" TAGS="seen">Theirs</A>
<DT><A HREF="https://example.org/a" ADD_DATE="1500000001">A</A>
<DT><A HREF="https://example.org/b" ADD_DATE="1500000002">B</A>
</DL><p>
<DT><H3>Empty</H3>
<DL><p>
</DL><p>
<DT><A HREF="https://example.org/c" ADD_DATE="1500000003">C</A>
<DT><A HREF="javascript:1">D</A>
</DL><p>
END
}

# One bookmark is no web address: status 4 says that it was left out.
import_marks() {
    sbfs import "$WORK/marks.html"
    case $? in 0 | 4) ;; *) return 1 ;; esac
}

change() { import_marks; }

files() { find "$LIB/items" "$LIB/collections" -type f | sort | xargs sha256sum; }

check() {
    sound
    items=$(sbfs list --ids | wc -l)
    [ "$items" -ge 1 ] && [ "$items" -le 4 ] || fail "items: $items"
    [ "$(sbfs show https://example.org/known | head -n 1)" = mine ] || fail "the person's title is lost"
    import_marks > "$WORK/said" 2>&1 || fail "again: $(cat "$WORK/said")"
    durable || fail "the second import did not take everything"
    finds 1 tag:seen
    [ "$(ls "$LIB"/collections/*.json | wc -l)" = 1 ] || fail "collections: $(ls "$LIB/collections")"
    files > "$WORK/before"
    import_marks > "$WORK/said" 2>&1
    files | cmp - "$WORK/before" || fail "a third import changed something"
    tidy
}

durable() { [ "$(sbfs list --ids | wc -l)" = 4 ] && [ "$(sbfs list collection:Work --ids | wc -l)" = 3 ]; }

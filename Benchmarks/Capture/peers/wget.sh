#!/bin/sh
# wget -p -k -E -H, one page and what it needs: wget.sh URL OUT
set -u
cookies=""
[ -z "${CAPTURE_COOKIES:-}" ] || cookies="--load-cookies=$CAPTURE_COOKIES"
# wget ends with 8 if any file was refused: the page may be there all the same.
# shellcheck disable=SC2086
wget -q -p -k -E -H -e robots=off --timeout=10 --tries=1 --compression=auto $cookies -P "$2" "$1"
cd "$2" || exit 1
# The page is the file of its URL, else the HTML file that was written first.
page=$(find . -type f \( -name '*.html' -o -name '*.xhtml' \) -printf '%T@ %p\n' | sort -n | head -n 1 | cut -d' ' -f2-)
path=$(printf '%s' "$1" | sed 's,^http://,,')
for candidate in "$path" "${path}index.html" "$path.html"; do
    if [ -f "$candidate" ]; then
        page=$candidate
        break
    fi
done
[ -z "$page" ] || printf '%s' "$page" >entry.txt

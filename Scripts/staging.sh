# Copies the release programs, their manual and their completions into a folder. Meant to be sourced after common.sh.

# Completions, by the folders below a prefix in which shells search them.
completions="share/bash-completion/completions/sbfs share/zsh/site-functions/_sbfs share/fish/vendor_completions.d/sbfs.fish"

# The installed size is less than this, in bytes.
size_limit=25000000

# manual PREFIX: the manual's pages there, relative to the prefix.
manual() { (cd "$1" 2>/dev/null && ls share/man/man1/sbfs.1 share/man/man[157]/sbfs-*.[157] 2>/dev/null) || true; }

# put_file PREFIX NAME: writes standard input to a file, atomically.
put_file() {
    mkdir -p "$(dirname -- "$1/$2")"
    cat > "$1/$2.new" && mv "$1/$2.new" "$1/$2"
}

# put_program PREFIX NAME: copies a release program without its symbols and the names of compilers. A running one is replaced, not overwritten.
put_program() {
    mkdir -p "$(dirname -- "$1/$2")"
    cp "$root/.build/release/${2##*/}" "$1/$2.new"
    strip --remove-section=.comment --remove-section=.note "$1/$2.new"
    chmod 755 "$1/$2.new"
    mv "$1/$2.new" "$1/$2"
}

# stage PREFIX WORKER_FOLDER: copies everything; sbfs finds its worker beside itself or in ../libexec/sbfs.
stage() {
    install_packages binutils
    put_program "$1" "$2/sbfs-worker"
    put_program "$1" bin/sbfs
    "$root/.build/release/sbfs" help --man-pages "$1/share/man"
    for shell in bash zsh fish; do
        for file in $completions; do
            case $file in *$shell*) "$root/.build/release/sbfs" completion "$shell" | put_file "$1" "$file" ;; esac
        done
    done
    size=$(for file in "$2/sbfs-worker" bin/sbfs $completions $(manual "$1"); do cat "$1/$file"; done | wc -c)
    [ "$size" -lt $size_limit ] || fail "the installed files have $size bytes; the limit is $size_limit (Scripts/staging.sh)"
}

# Shared by the scripts: paths, and functions that install missing packages. Meant to be sourced.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)

say() { printf '%s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# usage: prints the comment at the beginning of the script.
usage() { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; }

# unknown ARGUMENT…: ends the script because of what it does not take.
unknown() {
    say "${0##*/} does not take \"$*\"; see Scripts/${0##*/} --help"
    exit 2
}

# numbers ARGUMENT…: ends the script unless all are whole numbers.
numbers() {
    for number in "$@"; do
        case $number in "" | *[!0-9]*) unknown "$number" ;; esac
    done
}

# options_of PROGRAM ARGUMENT…: ends the script if the help of a Python program does not name one of the options. To be called
# before anything is installed or built.
options_of() {
    command -v python3 >/dev/null || return 0
    program=$1
    shift
    help=$(python3 "$program" --help)
    for word in "$@"; do
        case $word in
            --*) case $help in *"${word%%=*}"*) ;; *) unknown "$word" ;; esac ;;
        esac
    done
}

# Every script explains itself; $own_help is set by one that starts a program with a help of its own.
if [ -z "${own_help:-}" ]; then
    case ${1:-} in -h | --help) usage; exit 0 ;; esac
fi

# Packages of Debian and Ubuntu: libraries for the Swift compiler, libcurl for fetching pages, and libarchive.
build_packages="binutils gcc libc6-dev libstdc++-12-dev libcurl4-openssl-dev libarchive-dev ca-certificates"

# Where Debian has programs for the system's administration, which are not in every PATH.
export PATH="$PATH:/usr/sbin:/sbin"

# No script fetches anything unless it says so.
export SBFS_OFFLINE=1
# No command leaves a process behind in a folder that a script removes.
export SBFS_NO_SWEEP=1

# program_of PACKAGE: the program that the scripts use of a package. Prints nothing for a library.
program_of() {
    case $1 in
        binutils) echo strip ;;
        bsdutils) echo script ;;
        dbus-daemon) echo dbus-run-session ;;
        dpkg-dev) echo dpkg-shlibdeps ;;
        e2fsprogs) echo mkfs.ext4 ;;
        gnome-keyring) echo gnome-keyring-daemon ;;
        groff-base) echo groff ;;
        libsecret-tools) echo secret-tool ;;
        recollcmd) echo recollindex ;;
        ripgrep) echo rg ;;
        util-linux) echo unshare ;;
        xz-utils) echo xz ;;
        emacs-nox) echo emacs ;;
        inotify-tools) echo inotifywait ;;
        gcc | python3 | strace | git | rsync | faketime | syncthing | vim | ed | nano | watchman | mandoc | zsh | fish | fzf | chromium | openssl | wget | mount | rclone | \
            lintian | debootstrap) echo "$1" ;;
    esac
}

# install_packages NAME…: installs missing ones, as root or with sudo, and says so. Fails with the command that helps if one
# cannot be installed, or if its program is not found afterwards.
install_packages() {
    install_missing "$@"
    for package in "$@"; do
        program=$(program_of "$package")
        [ -z "$program" ] || command -v "$program" >/dev/null ||
            fail "$program is not in PATH, although the package $package is installed; run: apt-get install --reinstall $package"
    done
}

# missing_of NAME…: prints those that are not installed.
missing_of() {
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || printf ' %s' "$package"
    done
}

# Scripts that run beside each other wait for each other here: apt-get fails at once where another one holds its lists.
install_missing() {
    missing=$(missing_of "$@")
    [ -n "$missing" ] || return 0
    command -v apt-get >/dev/null || fail "missing:$missing; this is no Debian or Ubuntu, so install them by hand"
    as=""
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || fail "missing:$missing; run as root: apt-get install$missing"
        as=sudo
    fi
    mkdir -p "$root/.build"
    exec 9> "$root/.build/packages.lock"
    flock 9
    missing=$(missing_of "$@")
    if [ -n "$missing" ]; then
        say "installing with apt-get:$missing"
        # shellcheck disable=SC2086
        { $as apt-get update -qq && $as env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing; } \
            >/dev/null 9>&- || fail "apt-get could not install:$missing; its own messages: $as apt-get install$missing"
    fi
    exec 9>&-
}

# python_environment DIR REQUIREMENTS: makes a Python environment in DIR with the pinned versions of a file, and again when
# the file changes. Downloads from PyPI, and says so.
python_environment() {
    if cmp -s "$1/requirements.txt" "$2"; then return 0; fi
    say "installing from PyPI: $(sed -n 's/^\([^#].*\)/\1/p' "$2" | tr '\n' ' ')"
    rm -rf "$1"
    mkdir -p "$(dirname -- "$1")"
    python3 -m venv "$1" || fail "no Python environment could be made; run: apt-get install python3-venv"
    # Debian 12's own pip fails on the requirements of newspaper4k.
    "$1/bin/python" -m pip install -q --disable-pip-version-check --upgrade pip &&
        "$1/bin/python" -m pip install -q --disable-pip-version-check -r "$2" ||
        fail "PyPI's packages could not be installed; run: $1/bin/python -m pip install -r $2"
    cp "$2" "$1/requirements.txt"
}

# Ubuntu and newer Debian versions have another version of the library.
choose_libstdcxx() {
    for version in 12 13 14 11; do
        if dpkg-query -W "libstdc++-$version-dev" >/dev/null 2>&1; then
            build_packages=$(printf '%s' "$build_packages" | sed "s/libstdc++-12-dev/libstdc++-$version-dev/")
            return 0
        fi
    done
    command -v apt-cache >/dev/null || return 0
    apt-cache show libstdc++-12-dev >/dev/null 2>&1 || build_packages=$(printf '%s' "$build_packages" | sed 's/libstdc++-12-dev/g++/')
}

need_swift() {
    command -v swift >/dev/null || fail "no Swift toolchain was found; get Swift 6.2 or later from https://www.swift.org/install/linux/"
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | head -n 1)
    # shellcheck disable=SC2086
    set -- $version
    if [ "${1:-0}" -lt 6 ] || { [ "$1" = 6 ] && [ "${2:-0}" -lt 2 ]; }; then
        fail "Swift ${1:-0}.${2:-0} is too old; get 6.2 or later from https://www.swift.org/install/linux/"
    fi
}

# Options for release programs: the Swift runtime is linked in, equal functions are merged, no symbol is exported, and the
# tables for exceptions are left out (3 MB of 26; release.ld says why nothing reads them).
# Without the implicit import of _StringProcessing, a search for a string in a string that links Swift's parser of regular
# expressions does not compile; Sources/Characters/TextSearch.swift is used for it.
# Each function has a section of its own, and public ones are not kept for other programs: the linker leaves out what nothing calls.
# All names of shared libraries are bound at the start, and the tables that bind them are read-only from then on.
# The linker runs in the package, in any folder of the caller. No library is looked for beside the program (26 system calls of 149 in
# a run of the merge driver): the Swift runtime is in it, and the others are the system's.
release_options="-c release --static-swift-stdlib --disable-local-rpath -Xlinker --icf=safe -Xlinker --no-export-dynamic
    -Xswiftc -use-ld=lld -Xlinker -TScripts/release.ld -Xlinker --no-eh-frame-hdr -Xlinker -z -Xlinker now
    -Xswiftc -Xfrontend -Xswiftc -disable-implicit-string-processing-module-import
    -Xswiftc -Xfrontend -Xswiftc -internalize-at-link -Xswiftc -Xfrontend -Xswiftc -function-sections"
# Relocations in a packed form (1 MB less), which glibc reads from version 2.36 on. A program with them does not start with an
# older one, so a build on an older system goes without.
case $(getconf GNU_LIBC_VERSION 2>/dev/null) in
    "glibc 2."[0-9] | "glibc 2."[12][0-9] | "glibc 2.3"[0-5] | "") ;;
    *) release_options="$release_options -Xlinker -z -Xlinker pack-relative-relocs" ;;
esac

# link_statically: makes a folder with the archives of the C++ runtime alone, so that the linker takes them instead of the
# shared libraries: a program starts .5 ms sooner of 2.5, is 80 kB larger, and runs with an older libstdc++.
link_statically() {
    archives=$root/.build/archives
    mkdir -p "$archives"
    for name in stdc++:stdc++ gcc_s:gcc_eh; do
        archive=$(gcc -print-file-name="lib${name#*:}.a")
        # Without the archive gcc prints the bare name.
        [ ! -f "$archive" ] || ln -sf "$archive" "$archives/lib${name%:*}.a"
    done
    release_options="$release_options -Xlinker -L.build/archives"
}

# build_release [all]: the release binaries, in $root/.build/release; with "all" the benchmarks too. The Swift runtime is
# linked in, so they run without a toolchain. They have a build folder of their own, so that the tests can be built at the same time.
build_release() {
    need_swift
    choose_libstdcxx
    # shellcheck disable=SC2086
    install_packages $build_packages
    link_statically
    say "building (the first time takes a few minutes)"
    # One build of all products keeps both processors busy; without the benchmarks, the products are built one by one.
    for product in ${1:-sbfs sbfs-worker}; do
        [ "$product" = all ] && choice="" || choice="--product $product"
        # Package.swift builds rarely used code for size.
        # shellcheck disable=SC2086
        SBFS_PROGRAMS=yes swift build --package-path "$root" --scratch-path "$root/.build/programs" $release_options $choice >&2 || return
    done
    ln -sfn programs/release "$root/.build/release"
}

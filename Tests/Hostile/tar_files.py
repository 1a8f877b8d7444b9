"""Tar files of whole libraries, as an attacker, a broken program or an unlucky person may make them, given to `sbfs import`.

For each: nothing changes outside of the library and of this device's folders; the library contains only regular files and
folders, without execute bits or special modes, at its top only names of the layout, below an item no names on which other
programs act; library.json is sound; `sbfs check` works; the left-out entries are named, and the exit code reports them; one
`sbfs undo` undoes everything.
"""
import io, json, os, random, stat, tarfile

from common import Failures, Jail, raw_controls

ID = "01a19b7c-a680-7000-8f3e-5d2c9b7a61c4"
OTHER = "01a1a275-eeba-7400-b21a-90e4c6d8371f"
TOP = {
    "library.json", "items", "tombstones", "collections", "tags", "smart", "inbox", "schema", ".vscode", ".gitignore",
    ".gitattributes", ".stignore", ".sbfs",
}
WHOLE, PARTLY, NOTHING, FAILED = 0, 4, 3, 1


def item(id=ID, title="An item"):
    return json.dumps({"id": id, "type": "snippet", "title": title, "createdAt": "2026-11-01T08:00:00.000Z",
                       "updatedAt": "2026-11-01T08:00:00.000Z"}).encode()


def folder_of(id=ID):
    return "items/%s/%s" % (id[-2:], id)


def settings(**changes):
    keys = {"format": 1, "id": "01a1961f-5c00-7000-9d41-3b7e60a2f25a", "name": "Theirs"}
    keys.update(changes)
    return json.dumps(keys).encode()


def entry(name, data=b"x", kind=tarfile.REGTYPE, mode=0o644, link="", **more):
    header = tarfile.TarInfo(name)
    header.type, header.mode, header.linkname, header.mtime = kind, mode, link, 1_700_000_000
    header.size = len(data) if kind == tarfile.REGTYPE else 0
    for key, value in more.items():
        setattr(header, key, value)
    return header, data if kind == tarfile.REGTYPE else b""


def tar_file(entries, format=tarfile.PAX_FORMAT):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=format) as tar:
        for header, data in entries:
            tar.addfile(header, io.BytesIO(data) if data else None)
    return buffer.getvalue()


def base():
    return [entry(folder_of() + "/item.json", item()), entry(folder_of() + "/text.md", b"words\n")]


class Case:
    """One tar file, the allowed exit codes, and the paths below library/ that must or must not exist afterwards."""

    def __init__(self, name, entries, exits, absent=(), present=(), named=(), format=tarfile.PAX_FORMAT, data=None, seconds=60):
        self.name, self.exits, self.absent, self.present, self.named = name, exits, absent, present, named
        self.data = data if data is not None else tar_file(entries, format)
        self.seconds = seconds


def cases():
    inside = folder_of() + "/"
    whole = [inside + "item.json", inside + "text.md"]
    yield Case("sound", base() + [entry("library.json", settings())], [WHOLE], present=whole)
    yield Case("dot-slash before every name", [entry(".", kind=tarfile.DIRTYPE)]
               + [entry("./" + header.name, data) for header, data in base()], [WHOLE], present=whole)

    # What runs later.
    for name in (".git/hooks/pre-commit", ".git/config", ".envrc", ".vscode/tasks.json", ".vscode/settings.json", "Makefile",
                 ".sbfs/owner", ".sbfs/log/00000001", ".config", "bin/tool", "package.json", ".gitattributes", ".gitignore",
                 "items/.git/config", "items/c4/.envrc", "items/c4/Makefile", "tombstones/.git/config", "collections/.envrc",
                 "collections/run.sh", "smart/.git/config", "inbox/.envrc", "inbox/a/b", "schema/evil.json", "Items/x", "LIBRARY.JSON"):
        yield Case("top " + name, base() + [entry(name, b"#!/bin/sh\ntouch P\n", mode=0o4755)], [PARTLY],
                   absent=[] if name in (".gitattributes", ".gitignore", ".vscode/settings.json", ".sbfs/owner", ".sbfs/log/00000001") else [name],
                   present=whole, named=[name])
    for name in (".git/config", ".GIT/config", ".gIt\u200d/config", "git~1/config", ".git", ".git ", ".git.", ".git::$INDEX_ALLOCATION/config",
                 "a/b/.git/hooks/post-checkout", ".gitattributes", ".gitignore", ".gitmodules", ".hg/hgrc", ".svn/wc.db",
                 ".vscode/tasks.json", ".idea/workspace.xml", ".devcontainer/devcontainer.json", ".envrc", ".dir-locals.el",
                 ".exrc", ".editorconfig", ".sbfs/owner", "document/.git/config", "assets/.htaccess", ".notes.md.swp",
                 ".a-tool-of-2031.toml", "document/.envrc", "document/.DS_Store", "own/.config/a/b", "\u200d.x"):
        yield Case("item " + name, base() + [entry(inside + name, b"x", mode=0o755)], [PARTLY], absent=[inside + name],
                   present=whole, named=["it was left out"])
    for name, taken in ((".envrc", True), (".gitignore", True), (".git", False), (".Git.", False), ("git~1", False)):
        document = json.loads(item()) | {"type": "document", "documentRelativePath": "document/" + name}
        path = inside + "document/" + name
        yield Case("document " + name, [entry(path), entry(inside + "item.json", json.dumps(document).encode())], [WHOLE if taken else PARTLY],
                   present=[inside + "item.json"] + [path] * taken, absent=[] if taken else [path], named=[] if taken else ["git finds a repository"])
    bare = [entry(inside + "repo/" + name, b"ref: refs/heads/x\n", mode=0o755) for name in ("HEAD", "config", "objects/a", "refs/heads/x")]
    for order in (bare, bare[::-1]):
        yield Case("a bare repository", base() + order, [PARTLY], absent=[inside + "repo/HEAD"], present=whole, named=["repo/HEAD"])
    yield Case("a bare repository is the item", base() + [entry(inside + name) for name in ("head", "objects/a", "refs/a")], [PARTLY],
               absent=[inside + "head"], present=whole)
    yield Case("HEAD alone is a file", base() + [entry(inside + "HEAD")], [WHOLE], present=whole + [inside + "HEAD"])

    # The person's own files stay.
    for name in ("my notes/Größe 日本.txt", "Makefile", "n" * 200, "a\nb", "back\\slash", "C:\\x", "ITEM.JSON", "a/b/c/d"):
        yield Case("own " + name[:20], base() + [entry(inside + name, b"x", mode=0o4755)], [WHOLE], present=whole + [inside + name])

    # Paths.
    for name in ("../evil", inside + "../../../evil", "/tmp/hostile-evil", "//tmp//hostile-evil", inside + "a/../../evil", "items//x", inside + "./x",
                 "items/../evil", "./../evil"):
        yield Case("path " + name, base() + [entry(name, b"EVIL")], [PARTLY], present=whole, named=["evil" if "evil" in name else "x"])
    # As tar does, the name ends at the zero.
    yield Case("path nul", base() + [entry("x", b"EVIL", pax_headers={"path": inside + "a\0b"})], [WHOLE, PARTLY], present=whole)
    yield Case("path by pax", base() + [entry("ok", b"EVIL", pax_headers={"path": "../evil"})], [PARTLY], present=whole, named=["../evil"])
    yield Case("a name of 300 bytes", base() + [entry(inside + "n" * 300)], [PARTLY], present=whole, named=["too long"])
    yield Case("600 nested folders", base() + [entry(inside + "d/" * 600 + "f")], [PARTLY], present=whole, named=["nested deeper"])
    yield Case("a name that is not UTF-8", base() + [entry(inside + "bad\udcffname")], [PARTLY], present=whole, named=["UTF-8"],
               format=tarfile.GNU_FORMAT)
    yield Case("escape sequences in a name", base() + [entry("a\x1b]0;pwn\x07b\u202e")], [PARTLY], present=whole)

    # Links and special files.
    for target in ("/etc", "..", "/proc/self/cwd", "../../../.."):
        for place in ("items", "items/c4", folder_of(OTHER), inside + "door"):
            yield Case("link %s at %s, then a file" % (target, place),
                       base() + [entry(place, kind=tarfile.SYMTYPE, link=target), entry(place + "/evil", b"EVIL")],
                       [PARTLY], present=whole, named=["a symbolic link"])
    for kind, word in ((tarfile.SYMTYPE, "symbolic link"), (tarfile.LNKTYPE, "hard link"), (tarfile.FIFOTYPE, "FIFO"), (tarfile.CHRTYPE, "device"),
                       (tarfile.BLKTYPE, "device")):
        for name in (inside + "x", "library.json", inside + "item.json", "collections/x.json"):
            yield Case("%s as %s" % (word, name), base() + [entry(name, kind=kind, link="/etc/passwd", devmajor=1, devminor=3)],
                       [PARTLY], present=whole, named=[word])
    yield Case("a hard link with data", base() + [entry(inside + "h", kind=tarfile.LNKTYPE, link="library.json"), entry(inside + "h", b"EVIL")],
               [PARTLY], present=whole + [inside + "h"])
    sparse = entry(inside + "GNUSparseFile.0/s", b"1\n0\n1\n" + bytes(506) + b"x", pax_headers={
        "GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": inside + "s", "GNU.sparse.realsize": "1"})
    yield Case("a sparse file", base() + [sparse], [WHOLE], absent=[inside + "GNUSparseFile.0/s"], present=whole + [inside + "s"])

    # Modes, owners, times, attributes.
    for mode in (0o4755, 0o2755, 0o1777, 0o666, 0o777, 0o000):
        yield Case("mode %o" % mode, base() + [entry(inside + "x", mode=mode), entry(inside + "d", kind=tarfile.DIRTYPE, mode=mode),
                                               entry(inside + "d/y", mode=mode)], [WHOLE], present=whole + [inside + "d/y"])
    yield Case("owner", base() + [entry(inside + "x", uid=12345, gid=12345, uname="nobody")], [WHOLE], present=[inside + "x"])
    yield Case("attributes", base() + [entry(inside + "x", pax_headers={"SCHILY.xattr.user.evil": "1", "SCHILY.xattr.security.capability": "x",
                                                                         "SCHILY.acl.access": "user::rwx"})], [WHOLE], present=[inside + "x"])
    for time in ("99999999999", "-1000000000", "1e300", "-1e300"):
        yield Case("time " + time, base() + [entry(inside + "x", pax_headers={"mtime": time})], [WHOLE], present=[inside + "x"])
    yield Case("a negative time of GNU tar", base() + [entry(inside + "x", mtime=-5)], [WHOLE], present=[inside + "x"], format=tarfile.GNU_FORMAT)

    # library.json.
    for name, text, status, word in (
            ("no JSON", b"{ this is no JSON", PARTLY, "cannot be used"), ("empty", b"", PARTLY, "cannot be used"), ("an array", b"[]", PARTLY, "cannot be used"),
            ("without id", b'{"format":1}', PARTLY, "cannot be used"), ("of format 99", settings(format=99), FAILED, "format 99"),
            ("of format 99 that lets read", settings(format=99, minReader=1), PARTLY, "format 99"), ("of 2 MiB", settings(name="n" * (2 << 20)), PARTLY, "larger than")):
        for late in (False, True):
            entries = [entry("library.json", text)]
            entries = base() + entries if late else entries + base()
            yield Case("library.json %s%s" % (name, ", last" if late else ""), entries, [status], present=[] if status == FAILED else whole,
                       absent=whole if status == FAILED else [], named=[word])
    yield Case("library.json/x", base() + [entry("library.json/x")], [PARTLY], present=whole, named=["library.json/x"])
    yield Case("library.json is a folder", base() + [entry("library.json", kind=tarfile.DIRTYPE)], [PARTLY], present=whole)
    yield Case("library.json twice, the last is bad", base() + [entry("library.json", settings()), entry("library.json", b"bad")], [PARTLY], present=whole)
    yield Case("items is a file", base() + [entry("items")], [PARTLY], present=whole)
    yield Case("a file for a shard", [entry("items/c4")] + base(), [PARTLY], present=whole)
    yield Case("a file for an item", [entry(folder_of())] + base(), [PARTLY], present=whole)

    # Items.
    yield Case("no UUID", base() + [entry("items/c4/copy/item.json", item())], [PARTLY], absent=["items/c4/copy"], present=whole)
    yield Case("upper case", base() + [entry(folder_of(OTHER).upper() + "/item.json", item(OTHER))], [PARTLY], present=whole)
    yield Case("wrong shard", [entry("items/00/%s/item.json" % ID, item())], [WHOLE], present=[inside + "item.json"])
    for order in (1, -1):
        yield Case("two shards", [entry("items/00/%s/item.json" % ID, item(title="wrong")), entry(inside + "item.json", item(title="right"))][::order],
                   [PARTLY], present=[inside + "item.json"])
    yield Case("no item.json", base() + [entry(folder_of(OTHER) + "/text.md")], [PARTLY], absent=[folder_of(OTHER)], present=whole)
    yield Case("item.json is a folder", base() + [entry(folder_of(OTHER) + "/item.json/x")], [PARTLY], absent=[folder_of(OTHER)], present=whole)
    far = [entry(inside + "item.json", item()), entry(folder_of(OTHER) + "/item.json", item(OTHER)), entry(inside + "text.md", b"late\n"),
           entry(folder_of(OTHER) + "/assets/a.png", b"late"), entry(inside + "assets/b.png", b"late")]
    yield Case("files of an item far from each other", far, [WHOLE], present=[header.name for header, _ in far])
    yield Case("the same name twice", base() + [entry(inside + "text.md", b"later\n")], [PARTLY], present=whole, named=["again"])
    yield Case("a file, then a folder of its name", base() + [entry(inside + "a"), entry(inside + "a/b")], [PARTLY], present=whole + [inside + "a"])
    yield Case("a folder, then a file of its name", base() + [entry(inside + "a/b"), entry(inside + "a")], [PARTLY], present=whole + [inside + "a/b"])
    yield Case("names that differ in case", base() + [entry(inside + "a.txt"), entry(inside + "A.TXT")], [WHOLE], present=[inside + "a.txt", inside + "A.TXT"])
    yield Case("names that differ in form", base() + [entry(inside + "\u00e9"), entry(inside + "e\u0301")], [WHOLE], present=whole)
    for what, text in (("does not parse", b"{ no"), ("is empty", b""), ("is no object", b"[1]"), ("has another id", item(OTHER)),
                       ("has a number for an id", b'{"id": 1}'), ("is larger than is read", b'{"a":"' + b"x" * (17 << 20) + b'"}')):
        broken = [entry(inside + "item.json", text), entry(inside + "text.md")]
        yield Case("an item.json that " + what, broken, [NOTHING], absent=[folder_of()], named=["it makes no item: item.json"])
        yield Case("an item.json that %s, beside a sound one" % what, [entry(folder_of(OTHER) + "/item.json", item(OTHER))] + broken, [PARTLY],
                   absent=[folder_of()], present=[folder_of(OTHER) + "/item.json"], named=["it makes no item: item.json"])
    yield Case("100,000 empty files", base() + [entry(inside + "assets/f%d" % number, b"") for number in range(100_000)], [WHOLE], present=whole, seconds=300)
    yield Case("20,000 folders", base() + [entry(inside + "d%d" % number, kind=tarfile.DIRTYPE) for number in range(20_000)], [WHOLE], present=whole, seconds=300)

    # Beside the items.
    yield Case("a tombstone", base() + [entry("tombstones/1f/%s.json" % OTHER, b'{"id":"%s","purgedAt":"2026-01-01T00:00:00Z"}' % OTHER.encode())], [WHOLE],
               present=["tombstones/1f/%s.json" % OTHER])
    yield Case("a tombstone in another shard", base() + [entry("tombstones/00/%s.json" % OTHER)], [PARTLY], absent=["tombstones/00/%s.json" % OTHER])
    yield Case("files of all kinds", base() + [entry("collections/work-00e13ed7.json", b'{"name":"Work","colour":"red"}'), entry("inbox/a.txt"),
                                               entry("smart/x-00000000.json", b'{"name":"x","query":"y"}'), entry("inbox/rejected/b.txt"),
                                               entry("tags/t.json", b'{"name":"t"}')], [WHOLE],
               present=["collections/work-00e13ed7.json", "inbox/a.txt", "inbox/rejected/b.txt", "smart/x-00000000.json", "tags/t.json"])
    yield Case("a file that does not parse", base() + [entry("tags/t.json", b"no JSON")], [PARTLY], present=whole, absent=["tags/t.json"], named=["tags/t.json"])
    yield Case("a tombstone of an item that comes too", base() + [entry("tombstones/" + ID[-2:] + "/" + ID + ".json", b'{"purgedAt":"2999-01-01T00:00:00Z"}')],
               [PARTLY], present=whole, absent=["tombstones/" + ID[-2:] + "/" + ID + ".json"])
    yield Case("a bad file in the place of a good one", base() + [entry("smart/today-e0f4f767.json", b"bad")], [PARTLY], present=whole, named=["today-e0f4f767"])
    yield Case("a large file in the inbox", base() + [entry("inbox/big", bytes(2 << 20))], [PARTLY], absent=["inbox/big"], present=whole)

    # The tar file itself.
    sound = tar_file(base() + [entry(folder_of(OTHER) + "/item.json", item(OTHER))])
    yield Case("only what is left out", [entry(".git/config"), entry("Makefile")], [NOTHING])
    yield Case("cut within the last item", None, [PARTLY], data=tar_file(base() + [entry(folder_of(OTHER) + "/item.json", item(OTHER)),
                                                                                 entry(folder_of(OTHER) + "/x", bytes(9000))])[:-9000 - 4096], present=whole, absent=[folder_of(OTHER)])
    yield Case("without an end", None, [PARTLY], data=sound[:3 * 1024])
    yield Case("a header that is damaged", None, [PARTLY, FAILED], data=sound[:2048] + b"\xff" * 512 + sound[2560:])
    yield Case("a size that lies", base() + [entry(inside + "x", pax_headers={"size": "9999999999999"})], [FAILED, PARTLY])
    yield Case("a global header", None, [WHOLE], data=global_header() + sound, present=whole)
    rnd = random.Random(7)
    for number in range(60):
        damaged = bytearray(sound)
        for _ in range(rnd.randrange(1, 6)):
            damaged[rnd.randrange(len(damaged))] = rnd.randrange(256)
        if rnd.random() < 0.3:
            damaged = damaged[:rnd.randrange(600, len(damaged))]
        yield Case("damaged %d" % number, None, [WHOLE, FAILED, NOTHING, PARTLY], data=bytes(damaged))


def global_header():
    return tarfile.TarInfo.create_pax_global_header({"comment": "made by git archive"})


def look(jail, case, before):
    """The errors in the library and around it."""
    reasons = []
    allowed = {jail.library} | {os.path.join(jail.path, name) for name in ("state", "cache", "config", "home")}
    for path, (mode, content) in sorted(jail.files().items()):
        full = os.path.join(jail.path, path)
        if not any(full == place or full.startswith(place + "/") for place in allowed):
            if path not in before or before[path] != (mode, content):
                reasons.append("changed outside of the library: " + path)
            continue
        parts = path.split("/")
        if parts[0] != "library" or len(parts) == 1 or parts[1] == ".sbfs":
            continue
        if parts[1] not in TOP:
            reasons.append("at the top: " + parts[1])
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            reasons.append("neither file nor folder: " + path)
        elif mode & 0o7000 or stat.S_ISREG(mode) and mode & 0o111 or mode & 0o022:
            reasons.append("mode %o: %s" % (mode & 0o7777, path))
        elif os.lstat(full).st_uid != os.geteuid():
            reasons.append("owner: " + path)
        elif stat.S_ISREG(mode) and (os.lstat(full).st_nlink > 1 or os.listxattr(full)):
            reasons.append("linked or with attributes: " + path)
    for path in case.absent:
        if os.path.lexists(os.path.join(jail.library, path)):
            reasons.append("is there: " + path)
    for path in case.present:
        if not os.path.lexists(os.path.join(jail.library, path)):
            reasons.append("is not there: " + path)
    return reasons


def try_case(jail, case):
    with open(os.path.join(jail.desk, "a.tar"), "wb") as file:
        file.write(case.data)
    before = jail.files()
    run = jail.run(jail.sbfs, "import", "a.tar", "--report", "report.tsv", seconds=case.seconds)
    reasons = []
    if run.status is None:
        return ["time limit"]
    if run.status not in case.exits:
        reasons.append("exit %s: %s" % (run.status, run.text[-300:]))
    if raw_controls(run.out + run.err):
        reasons.append("raw control characters")
    report = os.path.join(jail.desk, "report.tsv")
    told = open(report, errors="replace").read() if os.path.exists(report) else ""
    if os.path.exists(report):
        os.remove(report)
    for word in case.named:
        if word not in told + run.text:
            reasons.append("not named: " + word)
    reasons += look(jail, case, before)
    check = jail.run(jail.sbfs, "check", seconds=case.seconds)
    if check.status not in (0, 1, 4):
        reasons.append("check: exit %s %s" % (check.status, check.text[-200:]))
    if jail.run(jail.sbfs, "list").status not in (0, 3):
        reasons.append("list fails")
    left = os.listdir(os.path.join(jail.library, ".sbfs/staging"))
    if left:
        reasons.append("left in staging: %s" % left)
    return reasons + undone(jail, case, before, run)


def undone(jail, case, before, run):
    """One undo restores everything except the items, which are in the trash, and folders."""
    changed = {path: value for path, value in before.items() if path.startswith("library/") and not path.startswith("library/.sbfs")}
    now = jail.files(os.path.join(jail.library, ".sbfs"))
    if all(now.get(path) == value for path, value in changed.items()) and not any(
            path.startswith("library/") and path not in changed and stat.S_ISREG(now[path][0]) for path in now):
        return []
    undo = jail.run(jail.sbfs, "undo", seconds=case.seconds)
    if "damaged" in case.name:
        return []
    reasons = []
    if undo.status != 0:
        reasons.append("undo: exit %s %s" % (undo.status, undo.text[-200:]))
    now = jail.files(os.path.join(jail.library, ".sbfs"))
    for path in sorted(set(now) | set(changed)):
        if not path.startswith("library/") or path.startswith("library/items/"):
            continue
        kind = now.get(path, changed.get(path))[0]
        if stat.S_ISREG(kind) and now.get(path, (0, b""))[1] != changed.get(path, (0, b""))[1]:
            reasons.append("not undone: " + path)
    if jail.run(jail.sbfs, "list", "--ids").out:
        reasons.append("items are left after undo")
    return reasons


def run(sbfs, step):
    failures = Failures()
    for number, case in enumerate(cases()):
        if number % step:
            continue
        with Jail(sbfs) as jail:
            failures.case("tar file: " + case.name, try_case(jail, case))
    return failures

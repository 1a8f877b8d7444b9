"""Exchanges, as an attacker, a broken program or an unlucky person may make them, given to `sbfs sync`.

The tar files of the subject tar_files are the packs, and the bundles of a sound pack; then come states, heads and objects that
lie. For each: nothing changes outside of the library and of this device's folders, and nothing in the exchange but this device's
own files; the library contains only regular files and folders, without execute bits, and at its top only names of the layout;
`sbfs check` works; what is not taken is named, and the exit code reports it.
"""
import hashlib, io, json, os, random, stat, subprocess, zipfile

from common import Failures, Jail, raw_controls
from tar_files import ID, TOP, cases as tar_cases, entry, folder_of, item, settings, tar_file

LIBRARY = "01a1961f-5c00-7000-9d41-3b7e60a2f25a"
DEVICE = "2dfbb4d4-a6f8-4ce6-8e1f-5189540dc3ed"
STAMP = "1795256100000000000"


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def packed(data):
    return subprocess.run(["zstd", "-q", "-3", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout


def state(**more):
    keys = {"id": ID, "item": {"sha256": sha256(item()), "modified": STAMP}}
    keys.update(more)
    return json.dumps(keys).encode()


def file(path, data=b"x", **more):
    return {"path": path, "sha256": sha256(data), "size": len(data), "modified": STAMP} | more


def header(**more):
    return json.dumps({"format": 1, "library": LIBRARY, "after": []} | more).encode()


def pack(entries=(), state=state(), header=header()):
    """A pack with one item."""
    return tar_file([entry("pack.json", header), entry("states/%s/%s.json" % (ID[-2:], ID), state),
                     entry(folder_of() + "/item.json", item()), *entries])


class Case:
    """An exchange: its packs, other objects by name, and the head; `taken` says whether the item must come."""

    def __init__(self, name, packs, objects=(), head=None, taken=None, absent=(), files=()):
        self.name, self.packs, self.objects, self.head = name, packs, dict(objects), head
        self.taken, self.absent, self.files = taken, absent, dict(files)

    def make(self, folder):
        def write(path, data):
            path = os.path.join(folder, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as out:
                out.write(data)
        write("exchange.json", json.dumps({"format": 1, "library": LIBRARY}).encode())
        for data in self.packs:
            name = sha256(data)
            write("objects/%s/%s.tar.zst" % (name[:2], name), packed(data))
        for name, data in self.objects.items():
            write("objects/%s/%s" % (name[:2], name), data)
        head = {"format": 1, "library": LIBRARY, "device": DEVICE, "packs": [sha256(data) for data in self.packs], "seen": {},
                "settings": json.loads(settings())}
        write("heads/%s.json" % DEVICE, self.head if self.head is not None else json.dumps(head | (self.files.pop("head", {}))).encode())
        for path, data in self.files.items():
            write(path, data)


def bundle(data, path="page.html", content=b"<p>x"):
    """A sound pack whose item has this tar file as its page."""
    name = sha256(data)
    told = state(files=[file(path, content)], bundles=[{"folder": "", "sha256": name}])
    return [pack(state=told)], {name + ".tar.zst": packed(data)}


def zip_files():
    """A zip file with two files, whole, with a wrong CRC, cut, and with one bit or one byte in a header that is another one."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("item.json"), item())
        archive.writestr(zipfile.ZipInfo("page.html"), b"<p>x" * 100, zipfile.ZIP_DEFLATED)
    data = out.getvalue()
    yield "whole", data
    second = data.index(b"PK\3\4", 4)
    for name, start in ("the first", 0), ("the second", second):
        for offset in range(start, start + 30):
            for value in sorted({data[offset] ^ 1, data[offset] ^ 128, 255, 0} - {data[offset]}):
                yield "byte %d of %s header is %d" % (offset - start, name, value), data[:offset] + bytes([value]) + data[offset + 1:]
    random_ = random.Random(19)
    for number in range(60):
        offset = random_.randrange(len(data))
        yield "bit flip at %d" % offset, data[:offset] + bytes([data[offset] ^ 1 << random_.randrange(8)]) + data[offset + 1:]
    for number in range(20):
        yield "cut, %d" % number, data[:random_.randrange(1, len(data))]


def cases():
    page = tar_file([entry("page.html", b"<p>x")])
    packs, objects = bundle(page)
    yield Case("sound", packs, objects, taken=True)
    for case in tar_cases():
        if len(case.data) > 64 << 20:
            continue
        yield Case("pack: " + case.name, [case.data])
        packs, objects = bundle(case.data)
        yield Case("bundle: " + case.name, packs, objects, taken=True)

    told = state(files=[file("document/plan.txt", b"x")])
    for name, data in zip_files():
        yield Case("bundle: a zip file, " + name, bundle(data)[0], {sha256(data) + ".tar.zst": data}, taken=True)
        yield Case("object: a zip file, " + name, [pack(state=told)], {sha256(b"x") + ".zip": data}, taken=True)

    # States that lie.
    own = b"#!/bin/sh\ntouch P\n"
    for path in (".git/hooks/pre-commit", ".envrc", "a/.git/config", "../evil", "/tmp/hostile-evil", "a/../../evil", "", ".", "a//b", "item.json",
                 "history/x", "conflicts/y", "n" * 300, "d/" * 600 + "f", "a\u0000b", "a\nb", ".sbfs/owner", "git~1/config"):
        yield Case("state: file " + path[:30].replace("\n", "?").replace("\u0000", "?"), [pack(state=state(files=[file(path, own)]))],
                   {sha256(own): own}, absent=[folder_of() + "/" + path[:100]] if path.startswith((".g", ".e", "a/.git", ".s", "git")) else [])
    for folder in ("..", "../../..", "/tmp", "snapshots/../../x", "snapshots/" + "n" * 300):
        told = state(files=[file("page.html", b"<p>x")], bundles=[{"folder": folder, "sha256": sha256(page)}])
        yield Case("state: bundle in " + folder[:20], [pack(state=told)], {sha256(page) + ".tar.zst": packed(page)})
    for name, more in {
        "a size of 1 TB": {"files": [file("own.bin", b"x", size=1 << 40)]}, "a size below 0": {"files": [file("own.bin", b"x", size=-1)]},
        "20,000 files": {"files": [file("own/%d" % n, b"x") for n in range(20_000)]},
        "one file twice": {"files": [file("own.bin", b"x"), file("own.bin", b"y")]},
        "a file below a file": {"files": [file("own.bin", b"x"), file("own.bin/x", b"x")]},
        "a file below item.json": {"files": [file("item.json/x", b"x")]}, "a file below text.md": {"files": [file("text.md/x/y", b"x")]},
        "times": {"files": [file("own.bin", b"x", modified="9" * 30)]}, "another id": {"id": "01a1a275-eeba-7400-b21a-90e4c6d8371f"},
        "no hash": {"item": {"modified": STAMP}}, "numbers for words": {"files": [7], "bundles": "x", "history": {}},
    }.items():
        yield Case("state: " + name, [pack(state=state(**more))], {sha256(b"x"): b"x", sha256(b"y"): b"y"})
    yield Case("state: not JSON", [pack(state=b"{")])
    yield Case("state: 5,000 levels", [pack(state=b"[" * 5000 + b"]" * 5000)])

    # Git would take the folder for a repository, whose configuration names programs.
    bare = {"HEAD": b"ref: refs/heads/main\n", "config": b"[core]\n\tfsmonitor = ./evil\n", "objects/x": b"x", "refs/x": b"y"}
    for where in ("own", "document"):
        yield Case("state: a repository in " + where,
                   [pack(state=state(files=[file("%s/%s" % (where, name), data) for name, data in bare.items()]))],
                   {sha256(data): data for data in bare.values()}, absent=["%s/%s/HEAD" % (folder_of(), where)])
        yield Case("state: a repository in %s of an item that is here" % where,
                   [pack(), pack(state=state(files=[file("%s/%s" % (where, name), data) for name, data in bare.items()]))],
                   {sha256(data): data for data in bare.values()}, taken=True, absent=["%s/%s/HEAD" % (folder_of(), where)])

    # Objects that lie.
    told = state(files=[file("own.bin", b"right")])
    for name, data in {"other bytes": b"wrong", "empty": b"", "longer": b"right" * 10}.items():
        yield Case("object: " + name, [pack(state=told)], {sha256(b"right"): data}, taken=True, absent=[folder_of() + "/own.bin"])
    zeros = tar_file([entry("page.html", b"\0" * (100 << 20))])
    packs, objects = bundle(zeros, content=b"\0" * 10)
    yield Case("a bomb in a bundle", packs, objects, taken=True)
    yield Case("a bomb in a pack", [pack([entry(folder_of() + "/text.md", b"\0" * (200 << 20))])])
    for mode in ("cut", "flipped", "no zstd"):
        data = packed(page)
        wrong = {"cut": data[:len(data) // 2], "flipped": data[:-9] + bytes([data[-9] ^ 64]) + data[-8:], "no zstd": page}[mode]
        yield Case("a bundle " + mode, bundle(page)[0], {sha256(page) + ".tar.zst": wrong}, taken=True)

    # Heads and packs that lie.
    for name, head in {
        "empty": b"", "not JSON": b"{", "of another library": json.dumps({"format": 1, "library": ID, "device": DEVICE, "packs": []}).encode(),
        "of a newer format": json.dumps({"format": 9, "library": LIBRARY, "device": DEVICE, "packs": []}).encode(),
        "of another device": json.dumps({"format": 1, "library": LIBRARY, "device": ID, "packs": []}).encode(),
        "with names that are no hashes": json.dumps({"format": 1, "library": LIBRARY, "device": DEVICE, "packs": ["../../x", "A" * 64]}).encode(),
        "with 200,000 packs": json.dumps({"format": 1, "library": LIBRARY, "device": DEVICE, "packs": [sha256(b"%d" % n) for n in range(200_000)]}).encode(),
        "with lists that are not there": json.dumps({"format": 1, "library": LIBRARY, "device": DEVICE, "lists": ["ab" * 32] * 5000,
                                                      "packs": [], "seen": {}}).encode(),
        "with lists that are none": json.dumps({"format": 1, "library": LIBRARY, "device": DEVICE, "lists": ["../../library", 7],
                                                 "packs": [], "seen": {}}).encode(),
        "with needs": json.dumps({"format": 1, "library": LIBRARY, "device": DEVICE, "packs": [], "seen": {},
                                  "needs": ["../../library/library.json", "objects/../../x", "objects/ab/" + "z" * 64] + ["objects/ab/" + "ab" * 32] * 5000}).encode(),
    }.items():
        yield Case("head " + name, [pack()], head=head, taken=False)
    yield Case("a pack after itself", [pack(header=header(after=["ab" * 32]))], taken=False)
    yield Case("a pack of another library", [pack(header=header(library=ID))], taken=False)
    yield Case("a pack of a newer format", [pack(header=header(format=2))], taken=False)
    yield Case("besides that lead out", [pack([entry("tags/x.json", b"{}")], header=header(besides=[
        {"path": "../../evil", "modified": STAMP}, {"path": "tags/x.json", "modified": STAMP}]))], taken=False)
    yield Case("files of strangers", [pack()], taken=True, files={
        "heads/%s (conflicted copy).json" % DEVICE: b"{", "heads/%s.json" % DEVICE.upper(): b"{", "objects/zz/x": b"x", "objects/ab/" + "AB" * 32: b"x",
        "heads/.tmp": b"x", "readme.txt": b"x"})


def try_case(jail, case):
    exchange = os.path.join(jail.path, "exchange")
    case.make(exchange)
    library = os.path.join(jail.path, "device")
    jail.environment["SBFS_LIBRARY"] = library
    made = jail.run(jail.sbfs, "init", "--from", exchange, library)
    if made.status != 0:
        # Without a head that can be read there are no settings: the same library, made by hand.
        os.makedirs(library, exist_ok=True)
        with open(os.path.join(library, "library.json"), "wb") as out:
            out.write(settings())
        jail.run(jail.sbfs, "init", library)
        jail.run(jail.sbfs, "remote", "add", "exchange", exchange)
    private = [os.path.join(jail.path, name) for name in ("device", "state", "config", "cache", "home", "library")]
    before = jail.files(*private)
    run = jail.run(jail.sbfs, "sync", seconds=120)
    reasons = []
    if run.status not in (0, 4):
        reasons.append("exit %s %s" % (run.status, run.text[-300:]))
    if raw_controls(run.out + run.err):
        reasons.append("raw control characters")
    after = jail.files(*private)
    for path in sorted(set(before) | set(after)):
        if before.get(path) == after.get(path) or path in ("exchange/heads", "exchange/objects"):
            continue
        # This device's head, and what it has that the exchange has not.
        if path.startswith("exchange/heads/") and path not in before or path.startswith("exchange/objects/") and path not in before:
            continue
        reasons.append("changed: " + path)
    for folder, folders, files in os.walk(library):
        if ".sbfs" in folders:
            folders.remove(".sbfs")
        for name in folders + files:
            path = os.path.join(folder, name)
            mode = os.lstat(path).st_mode
            if not stat.S_ISDIR(mode) and (not stat.S_ISREG(mode) or mode & 0o7111):
                reasons.append("a special file or mode: " + os.path.relpath(path, library))
        if folder == library:
            reasons += ["at the top: " + name for name in folders + files if name not in TOP]
    for path in case.absent:
        if os.path.lexists(os.path.join(library, path)):
            reasons.append("taken: " + path)
    found = os.path.exists(os.path.join(library, folder_of(), "item.json"))
    if case.taken is not None and found != case.taken:
        reasons.append("the item is%s here: %s" % ("" if found else " not", run.text[-300:]))
    check = jail.run(jail.sbfs, "check", seconds=120)
    if check.status not in (0, 1):
        reasons.append("check: exit %s" % check.status)
    again = jail.run(jail.sbfs, "sync", seconds=120)
    if again.status not in (0, 4):
        reasons.append("a second sync: exit %s %s" % (again.status, again.text[-200:]))
    return reasons


def run(sbfs, step):
    failures = Failures()
    # Each case is five commands: a sample takes a part of what is usual.
    for number, case in enumerate(cases()):
        if number % (step if step == 1 else 6 * step):
            continue
        with Jail(sbfs) as jail:
            failures.case("exchange: " + case.name, try_case(jail, case))
    return failures

"""Items, and files beside them, as a hostile replica or a broken program may leave them in a library.

After each: no command is killed or takes longer than its limit; none prints a raw control character or the text of a file
outside of the library; nothing outside of the library and of this device's folders changes; a good item beside the hostile
one stays as it is and is found; `sbfs check` names what is wrong.
"""
import json, os, shutil

from common import Failures, Jail, raw_controls

ID = "01a19b7c-a680-7000-8f3e-5d2c9b7a61c4"
GOOD = "01a1a275-eeba-7400-b21a-90e4c6d8371f"
SECRET = "top secret words"
FINDS, QUIET = True, False


def folder_of(id=ID):
    return "items/%s/%s" % (id[-2:], id)


def item(**members):
    return json.dumps({"id": ID, "type": "snippet", "title": "Hostile", **members}, ensure_ascii=False).encode()


class Place:
    """The library's folder, for the functions that lay a trap."""

    def __init__(self, jail):
        self.jail, self.root = jail, jail.library

    def full(self, path):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        return full

    def write(self, path, data):
        with open(self.full(path), "wb") as file:
            file.write(data)

    def item(self, data=None, **files):
        self.write(folder_of() + "/item.json", item() if data is None else data)
        for name, content in files.items():
            self.write(folder_of() + "/" + name.replace("__", "/").replace("_", "."), content)

    def link(self, path, target):
        os.symlink(target, self.full(path))


def raw(data):
    return lambda place: place.item(data)


def also(path, act):
    """An item in order, and something at a path below it."""
    def lay(place):
        place.item()
        act(place, folder_of() + "/" + path)
    return lay


def fifo(place, path):
    os.mkfifo(place.full(path))


def to_secret(place, path):
    place.link(path, os.path.join(place.jail.path, "home/secret"))


def to_home(place, path):
    place.link(path, os.path.join(place.jail.path, "home"))


def sparse(place, path):
    place.write(path, b"")
    os.truncate(place.full(path), 1 << 40)


def cases():
    """Names, functions that lay the trap, and whether `check` must find something."""
    item_file = folder_of() + "/item.json"
    yield "no JSON", raw(b"not JSON"), FINDS
    yield "empty", raw(b""), FINDS
    yield "zeros", raw(bytes(4096)), FINDS
    yield "cut", raw(item()[:-7]), FINDS
    yield "a list", raw(b"[]"), FINDS
    yield "deep", raw(b"[" * 100_000), FINDS
    yield "deep objects", raw(b'{"a":' * 100_000), FINDS
    yield "17 MiB", raw(b'{"title":"' + b"x" * (17 << 20) + b'"}'), FINDS
    yield "invalid UTF-8", raw(b'{"title": "a\xffb"}'), FINDS
    yield "a surrogate alone", raw(b'{"title": "a\\ud800b"}'), None
    yield "two ids", raw(item()[:-1] + b', "id": "%s"}' % GOOD.encode()), FINDS
    yield "another id", raw(item(id=GOOD)), FINDS
    yield "a key twice", raw(item()[:-1] + b', "title": "Second"}'), FINDS
    yield "numbers for everything", raw(json.dumps({key: 1 for key in (
        "title", "tags", "type", "createdAt", "linkURL", "documentRelativePath", "annotations", "sortOrder", "isPinned")}).encode()), FINDS
    yield "a huge number", raw(b'{"sortOrder": 1' + b"0" * 100_000 + b"}"), None
    yield "a year far away", raw(item(createdAt="9999-12-31T23:59:59.999Z", updatedAt="9999-12-31T23:59:59.999Z")), QUIET
    yield "a tag of a megabyte", raw(item(tags=["x" * (1 << 20)])), FINDS
    yield "marks in a tag", raw(item(tags=["a" + "\u0301\u0323" * 60_000])), FINDS
    yield "marks in a title", raw(item(title="a" + "\u0301\u0323" * 60_000)), QUIET
    yield "levels", raw(item(tags=["collection:" + "a/" * 50_000])), FINDS
    yield "20,000 tags", raw(item(tags=["tag %d" % number for number in range(20_000)])), FINDS
    yield "20,000 keys", raw(item(**{"key%d" % number: number for number in range(20_000)})), FINDS
    yield "control characters", raw(item(title="a\x1b]0;b\x07c\x9bd\u202ee\x00f", tags=["\x1b[2J"], linkURL="https://x.org/\x1b")), FINDS
    for key in ("documentRelativePath", "htmlRelativePath", "favicon"):
        for path in ("../../../../home/secret", "/etc/passwd", "document/../../../x", "a\x00b", "document/x\x1b[2J"):
            yield "%s %r" % (key, path), raw(item(**{key: path})), FINDS
    yield "item.json is a FIFO", lambda place: fifo(place, item_file), FINDS
    yield "item.json is a folder", lambda place: os.makedirs(place.full(item_file)), FINDS
    yield "item.json is a link", lambda place: to_secret(place, item_file), FINDS
    yield "item.json is a link to a device", lambda place: place.link(item_file, "/dev/zero"), FINDS
    yield "item.json is sparse", lambda place: sparse(place, item_file), FINDS
    yield "the item is a link", lambda place: to_home(place, folder_of()), FINDS
    yield "the shard is a link", lambda place: to_home(place, "items/c4"), FINDS
    for name in ("text.md", "page.html", "reader.html", "document", "assets", "snapshots", "history", "conflicts"):
        yield name + " is a FIFO", also(name, fifo), FINDS if name in ("text.md", "document") else None
        yield name + " is a link to a file", also(name, to_secret), FINDS if name in ("text.md", "document", "conflicts") else None
        yield name + " is a link to a folder", also(name, to_home), FINDS if name in ("text.md", "document", "conflicts") else None
    yield "the document is a link", also("document/secret", to_secret), FINDS
    yield "the document is a FIFO", also("document/x", fifo), FINDS
    yield "the text is sparse", also("text.md", sparse), FINDS
    yield "the page is sparse", also("page.html", sparse), None
    yield "the document is sparse", also("document/x.pdf", sparse), FINDS
    yield "a name of bytes", also("document/x", lambda place, path: open(os.fsencode(place.full(path)) + b"\xff\x1b", "w").close()), FINDS
    yield "200 nested folders", also("document/" + "a/" * 200 + "x", lambda place, path: place.write(path, b"x")), None
    yield "a newline in a name", lambda place: os.makedirs(place.full("items/c4/a\nb\x1b[2J")), FINDS
    for folder in ("collections", "tags", "smart", "tombstones"):
        yield folder + " is a link", lambda place, folder=folder: (shutil.rmtree(place.full(folder)), to_home(place, folder)), FINDS
    for name, text in {"a FIFO": None, "no JSON": b"{", "hostile": json.dumps({"name": "\x1b[2J", "colour": "\x1b", "query": "(" * 5000}).encode()}.items():
        for folder in ("collections", "tags", "smart"):
            path = folder + "/a-ca978112.json"
            yield "%s in %s/" % (name, folder), (lambda place, path=path, text=text: fifo(place, path) if text is None else place.write(path, text)), None
    yield "library.json with programs", lambda place: place.write("library.json", open(place.full("library.json"), "rb").read().replace(
        b"{", b'{"editor": "touch P", "hooks": {"open": "touch P"}, "proxy": "http://10.0.0.1",', 1)), FINDS
    yield "an inbox of traps", lambda place: (fifo(place, "inbox/f"), to_secret(place, "inbox/s"), to_home(place, "inbox/h"),
                                              place.write("inbox/\x1b[2J.url", b"[InternetShortcut]\nURL=file:///etc/passwd\n")), None


# Each with the seconds that it may take.
LOOKING = [["list"], ["list", "--format", "table"], ["list", "--json", "trashcan OR not trashcan"], ["show", ID], ["show", ID, "--json"],
           ["search", "--facets", "hostile OR secret"], ["search", "--facets", "--format", "table", "good"], ["tags"], ["collections"],
           ["suggest", "a"], ["stats"], ["complete", "0", "sbfs", "show", ""], ["read", ID], ["links", ID], ["open", "--print", ID],
           ["smart", "list"], ["export", "--full", "all.tar"], ["export", "--format", "html", "-o", "all.html"]]
CHANGING = [["tag", "add", ID, "x"], ["title", ID, "x"], ["append", ID, "x"], ["detach", ID, "document", "--yes"], ["inbox"],
            ["check", "--repair", "--yes"], ["trash", ID], ["purge", ID, "--now", "--yes"], ["reindex", "--full"]]


def wrong(jail, words, outside):
    """What is wrong with a run of a command."""
    run = jail.run(jail.sbfs, *words, seconds=30)
    command = " ".join(words[:2])
    if run.status is None:
        return ["%s: time limit" % command]
    reasons = []
    if run.status not in range(10):
        reasons.append("%s: exit %d: %s" % (command, run.status, run.text[-200:]))
    if raw_controls(run.out + run.err):
        reasons.append("%s: raw control characters" % command)
    if SECRET in run.text:
        reasons.append("%s: prints a file outside of the library" % command)
    for path in outside:
        with open(path, "rb") as file:
            if file.read().decode() != SECRET:
                reasons.append("%s: changed %s" % (command, path))
    return reasons


def try_case(jail, name, lay, finds):
    home = jail.environment["HOME"]
    os.makedirs(home, exist_ok=True)
    secret = os.path.join(home, "secret")
    with open(secret, "w") as file:
        file.write(SECRET)
    place = Place(jail)
    good = json.dumps({"id": GOOD, "type": "snippet", "title": "Good"}).encode()
    place.write(folder_of(GOOD) + "/item.json", good)
    lay(place)
    before = set(os.listdir(home))
    reasons = []
    for words in LOOKING:
        # A full export writes every byte of a file, and a terabyte takes its time.
        if "sparse" not in name or "--full" not in words:
            reasons += wrong(jail, words, [secret])
    if open(place.full(folder_of(GOOD) + "/item.json"), "rb").read() != good:
        reasons.append("the good item was changed")
    check = jail.run(jail.sbfs, "check", "--notes", "--read-data", seconds=60)
    if check.status not in (0, 1, 4):
        reasons.append("check: exit %s: %s" % (check.status, check.text[-200:]))
    elif finds is not None and finds != bool(check.out.strip()):
        reasons.append("check prints %r" % check.text[:200])
    for words in CHANGING:
        reasons += wrong(jail, words, [secret])
    if jail.run(jail.sbfs, "title", GOOD, "Better").status != 0 or jail.run(jail.sbfs, "list", "--ids", "Better").out.decode().strip() != GOOD:
        reasons.append("the good item cannot be changed or found")
    if set(os.listdir(home)) - before - {"x"} or os.path.exists(os.path.join(jail.desk, "P")):
        reasons.append("made files outside of the library: %s" % (set(os.listdir(home)) - before))
    return reasons


def run(sbfs, step):
    failures = Failures()
    for number, (name, lay, finds) in enumerate(cases()):
        if number % step:
            continue
        with Jail(sbfs) as jail:
            failures.case("item: " + name, try_case(jail, name, lay, finds))
    return failures

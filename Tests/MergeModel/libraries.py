#!/usr/bin/env python3
"""Joins two copies of a library by FORMAT.md and Documentation/Merge.md alone, and compares each file with what sbfs merge makes.

Usage: libraries.py --sbfs PATH [--count N] [--seed N]

sbfs makes a library; both copies are edited by commands and as editors save. Then this program reads the two folders and says
what each item must be, `sbfs merge --both` joins them, and every file below items/ of both copies must have the same bytes.
"""

import argparse
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import canonical
import versions
from content import Content

SNAPSHOT = re.compile(r"snapshots/[^/]*-([0-9a-f]{8})(?:-\d+)?/")
WORDS = "amber birch cedar delta ember fjord grove heath inlet jetty knoll ledge".split()


# ---------------------------------------------------------------- what the two folders must become

def decode(name, data):
    """A version; the page and the document are the lists of their files, as JSON."""
    value = canonical.decode(data)
    if value is None or canonical.sha(data) != name:
        raise ValueError("no version: %s" % name)
    files = value.get("files", [])
    return versions.Version(name, tuple(value["parents"]), canonical.encode(value["item"]), value.get("text"),
                            listed(file for file in files if not file["path"].startswith("document/")),
                            listed(file for file in files if file["path"].startswith("document/")),
                            tuple(value.get("resolved", [])), value.get("edited") is True and not value["parents"])


def listed(files):
    files = list(files)
    return json.dumps(files) if files else None


def files_of(part):
    return json.loads(part) if part else []


def encode(content, parents):
    value = {"parents": sorted(set(parents)), "item": content.fields}
    if content.text is not None:
        value["text"] = canonical.sha(content.text)
    files = sorted(files_of(content.page) + files_of(content.document), key=lambda file: file["path"].encode())
    if files:
        value["files"] = files
    data = canonical.encode(value)
    return canonical.sha(data), data


class Item:
    """One item's folder in one copy: bytes by path."""

    def __init__(self, folder):
        self.files = {}
        for place, _, names in os.walk(folder):
            for name in names:
                path = pathlib.Path(place, name)
                self.files[str(path.relative_to(folder))] = path.read_bytes()

    def versions(self):
        found, texts = {}, {}
        for path, data in self.files.items():
            if path.startswith("history/"):
                name, _, kind = path[8:].rpartition(".")
                if kind == "json":
                    found[name] = decode(name, data)
                else:
                    texts[name] = data
        return found, texts


def joined(one, two, gone):
    """The files of the item that both copies have; None if a purge saw all of it."""
    found, texts = one.versions()
    for names, more in zip((found, texts), two.versions()):
        names.update(more)
    graph = versions.Graph(found, texts, gone, frozenset())
    if not graph.nodes:
        # Nobody changed it since the copies were one.
        if one.files != two.files:
            raise ValueError("files differ without a version")
        return one.files
    node, conflicts, losers = graph.result()
    content = node.content
    result = {path: data for item in (one, two) for path, data in item.files.items()
              if path.startswith(("history/", "conflicts/", "snapshots/"))}
    if len(graph.heads) > 1:
        name, data = encode(content, [name for name in graph.versions if graph.node_of.get(name) in graph.heads])
        result["history/%s.json" % name] = data
        if content.text is not None:
            result["history/%s.md" % canonical.sha(content.text)] = content.text
        result.update(conflicts)
    for version in graph.versions.values():
        for path in version.resolved:
            result.pop(path, None)
    result["item.json"] = content.item
    if content.text is not None:
        result["text.md"] = content.text
    for file in files_of(content.page) + files_of(content.document):
        result[file["path"]] = bytes_of(file, one, two)
    for unit, loser in losers:
        for file in files_of(loser):
            path = file["path"]
            if unit == "document":
                stem, dot, extension = path.rpartition(".")
                if not dot:
                    stem, extension = path, ""
                path = "%s.conflict-%s%s%s" % (stem, file["sha256"][:8], dot, extension)
            else:
                path = "snapshots/%s/%s" % (snapshot_hash(loser)[:8], path)
            result[path] = bytes_of(file, one, two)
    return result


def snapshot_hash(page):
    hashes = {file["path"]: file["sha256"] for file in files_of(page)}
    return hashes.get("page.html") or hashes["reader.html"]


def bytes_of(file, one, two):
    for item in (one, two):
        for path, data in item.files.items():
            if canonical.sha(data) == file["sha256"]:
                return data
    raise ValueError("no copy has %s" % file["path"])


def items(library):
    return {folder.name: Item(folder) for folder in sorted(pathlib.Path(library, "items").glob("*/*")) if folder.is_dir()}


def tombstones(*libraries):
    """Names of versions and hashes that the purges of each item found."""
    result = {}
    for library in libraries:
        for path in sorted(pathlib.Path(library, "tombstones").glob("*/*.json")):
            value = json.loads(path.read_bytes())
            found = result.setdefault(path.stem, (set(), set()))
            found[0].update(value.get("versions", []))
            found[1].update(value.get("hashes", []))
    return result


def part_hash(part):
    lines = "".join("%s %d %s\n" % (file["sha256"], file["size"], file["path"])
                    for file in sorted(files_of(part), key=lambda file: file["path"].encode()))
    return canonical.sha(lines.encode())


def is_purged(item, lists):
    """FORMAT.md § 10: the purge saw every version and every part."""
    names, hashes = lists
    found, _ = item.versions()
    if not set(found) <= names:
        return False
    parts = {canonical.sha(canonical.encode(canonical.decode(item.files["item.json"])))}
    if "text.md" in item.files:
        parts.add(canonical.sha(item.files["text.md"]))
    for start in (("page.html", "reader.html", "assets/"), ("document/",)):
        part = listed({"path": path, "sha256": canonical.sha(data), "size": len(data)}
                      for path, data in item.files.items() if path.startswith(start))
        if part:
            parts.add(part_hash(part))
    return parts <= hashes


def expected(a, b):
    """By item, the files that both copies must have."""
    here, there, purged = items(a), items(b), tombstones(a, b)
    result = {}
    for name in sorted({*here, *there}):
        lists = purged.get(name, (set(), set()))
        if name in here and name in there:
            result[name] = joined(here[name], there[name], frozenset(lists[0]))
        else:
            item = here.get(name) or there[name]
            if not (name in purged and is_purged(item, lists)):
                result[name] = item.files
    return result


# ---------------------------------------------------------------- two copies with edits

class Copies:
    """Two copies of one library, edited at random."""

    def __init__(self, sbfs, folder, seed):
        self.sbfs, self.folder, self.random = sbfs, folder, random.Random(seed)
        self.a, self.b = folder + "/a", folder + "/b"
        self.serial = 0
        self.run(self.a, "init", "--name", "Two")
        self.ids = [self.first(number) for number in range(self.random.randint(3, 6))]
        shutil.copytree(self.a, self.b, symlinks=True)
        shutil.rmtree(self.b + "/.sbfs")
        if seed % 2:
            # The other device knows what the items are before anybody edits them there.
            self.run(self.b, "list")
        else:
            # An edit of this moment would look as if sbfs had written it. The versions of the first copy say what it wrote.
            time.sleep(0.6)
            for name in self.ids:
                self.run(self.a, "tag", "add", name, self.word())
        self.edits = 0
        for _ in range(self.random.randint(20, 60)):
            library = self.random.choice((self.a, self.b))
            self.edits += self.edit(library, self.random.choice(self.ids))
        for name in self.ids:
            # A device notes what editors saved of an item that it never read when a command changes it.
            if seed % 2 == 0 and os.path.exists("%s/items/%s/%s" % (self.b, name[-2:], name)):
                self.run(self.b, "tag", "add", name, self.word())
        for library in (self.a, self.b):
            # A command that writes notes what editors saved.
            self.run(library, "list")
            self.run(library, "add", "-", "--title", "last", text="last of " + library[-1])

    def run(self, library, *arguments, text=""):
        result = subprocess.run([self.sbfs, "--library", library, "--offline", *arguments], input=text, capture_output=True, encoding="utf-8")
        if result.returncode not in (0, 4):
            raise RuntimeError("sbfs %s: %s" % (" ".join(arguments), result.stderr))
        return result.stdout

    def edit_unseen(self):
        """Edits that no command has noticed when the copies meet."""
        for library in (self.a, self.b):
            for identifier in self.ids:
                if self.random.random() < 0.5:
                    self.edits += self.edit(library, identifier)

    def merge(self):
        """Joins the copies after a dry run.

        Returns the number of results that the dry run told, and what it told wrongly."""
        copies = (self.a, self.b)
        before = [times(library) for library in copies]
        # A dry run that begins within some milliseconds of a save may miss it; people are not that fast.
        time.sleep(0.05)
        preview = json.loads(self.run(self.a, "merge", self.b, "--both", "--dry-run", "--json"))[0]
        lines = [] if before == [times(library) for library in copies] else ["the dry run wrote into a copy"]
        untold = self.set_back()
        report = json.loads(self.run(self.a, "merge", self.b, "--both", "--json"))[0]
        for key in COUNTED:
            told, done = set(preview[key]), set(report[key])
            if told - done or done - told - (untold if key == "joined" else set()):
                lines.append("%s would be %s, and are %s" % (key, preview[key], report[key]))
        return sum(len(report[key]) for key in COUNTED), lines

    def set_back(self):
        """Items whose text an editor set back to that of an earlier version, in the copy that is merged.

        The merge has that copy note it first, as it is written to; the dry run does not (Merge.md 4)."""
        found = set()
        for item in pathlib.Path(self.b, "items").glob("*/*"):
            text, other = item / "text.md", pathlib.Path(self.a, "items", item.parent.name, item.name, "text.md")
            if text.exists() and other.exists() and text.read_bytes() != other.read_bytes():
                if (item / "history" / (hashlib.sha256(text.read_bytes()).hexdigest() + ".md")).exists():
                    found.add(item.name)
        return found

    def word(self):
        self.serial += 1
        return "%s%d" % (self.random.choice(WORDS), self.serial)

    def paragraph(self):
        return " ".join(self.word() for _ in range(self.random.randint(2, 9)))

    def first(self, number):
        paragraphs = "\n\n".join(self.paragraph() for _ in range(self.random.randint(1, 6)))
        name = self.run(self.a, "add", "-", "--title", "Title %d" % number, "--tag", "one,two", text=paragraphs + "\n").split()[0]
        if number % 3 == 1:
            self.document(self.a, name)
        if number % 3 == 2:
            self.run(self.a, "attach", name, "https://example.org/%d" % number)
            self.page(self.a, name)
        return name

    def file(self, name, text):
        path = self.folder + "/" + name
        pathlib.Path(path).write_text(text)
        return path

    def document(self, library, name):
        self.run(library, "attach", "--replace", name, self.file(self.random.choice(("plan.txt", "notes", "a.b.md")), self.paragraph()), "--yes")

    def page(self, library, name):
        text = "<!doctype html><title>%s</title><article><h1>x</h1><p>%s</p></article>" % (self.word(), "<p>".join(
            self.paragraph() + "." for _ in range(30)))
        self.run(library, "archive", name, "--from", self.file("page.html", text))

    def edit(self, library, name):
        """Whether something was edited."""
        path = pathlib.Path(library, "items", name[-2:], name)
        if not path.exists():
            return False
        kinds = "title tag untag append text text text trash restore document page field purge resolve".split()
        kind = self.random.choice(kinds)
        time.sleep(0.003)
        if kind == "title":
            self.run(library, "title", name, self.word())
        elif kind == "tag":
            self.run(library, "tag", "add", name, self.word())
        elif kind == "untag":
            self.run(library, "tag", "rm", name, self.random.choice(("one", "two")))
        elif kind == "append":
            self.run(library, "append", name, self.paragraph())
        elif kind == "text":
            self.save(path / "text.md")
        elif kind in ("trash", "restore"):
            if (b"trashedAt" in (path / "item.json").read_bytes()) == (kind == "restore"):
                self.run(library, kind, name)
        elif kind == "document" and (path / "document").exists():
            self.document(library, name)
        elif kind == "page" and (path / "page.html").exists():
            self.page(library, name)
        elif kind == "field":
            value = json.loads((path / "item.json").read_bytes())
            value["x-" + self.random.choice("abc")] = self.word()
            self.replace(path / "item.json", canonical.encode(value))
        elif kind == "purge" and self.random.random() < 0.5:
            self.run(library, "trash", name)
            self.run(library, "purge", name, "--now", "--yes")
        else:
            return False
        return True

    def save(self, path):
        """Changes the text as an editor does: a paragraph is changed, removed, moved or put in."""
        paragraphs = path.read_text().strip("\n").split("\n\n") if path.exists() else []
        at = self.random.randrange(len(paragraphs) + 1)
        kind = self.random.choice(("put", "change", "remove", "move"))
        if kind == "put" or at == len(paragraphs):
            paragraphs.insert(at, self.paragraph())
        elif kind == "change":
            paragraphs[at] += " " + self.word()
        else:
            moved = paragraphs.pop(at)
            if kind == "move" or not paragraphs:
                paragraphs.append(moved)
        self.replace(path, ("\n\n".join(paragraphs) + "\n").encode())

    @staticmethod
    def replace(path, data):
        new = path.with_name("." + path.name + ".swp")
        new.write_bytes(data)
        new.rename(path)


# What a dry run must tell exactly, of the copy that takes.
COUNTED = ("added", "joined", "conflicted", "kept", "smallFiles", "purgedHere", "purgedThere")


def times(library):
    """Size and modification time of every entry but those of .sbfs."""
    found = {}
    for path in [pathlib.Path(library), *pathlib.Path(library).rglob("*")]:
        if ".sbfs" not in path.relative_to(library).parts and path != pathlib.Path(library):
            status = path.lstat()
            found[str(path)] = (status.st_size, status.st_mtime_ns)
    return found


def plain(files):
    """The files by path; of a snapshot's folder the hash alone counts, and snapshot.json is not compared."""
    return {SNAPSHOT.sub(r"snapshots/\1/", path): data for path, data in files.items() if not path.endswith("/snapshot.json")}


def differences(wanted, library):
    found = items(library)
    lines = ["%s: %s" % (name, "missing" if name in wanted else "should be gone") for name in sorted(set(wanted) ^ set(found))]
    for name in sorted(set(wanted) & set(found)):
        one, two = plain(wanted[name]), plain(found[name].files)
        for path in sorted(set(one) | set(two)):
            if one.get(path) != two.get(path):
                lines.append("%s/%s\n  by FORMAT.md %r\n  found        %r" % (name, path, one.get(path), two.get(path)))
    return lines


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--sbfs", required=True, metavar="PATH")
    options.add_argument("--count", type=int, default=20, metavar="N", help="pairs of copies (20)")
    options.add_argument("--seed", type=int, default=1, metavar="N", help="the first seed (1)")
    options = options.parse_args()
    sbfs = os.path.abspath(options.sbfs)
    edits = compared = previewed = failed = 0
    kept = dict.fromkeys(("conflicts/", "document/.*[.]conflict-", "snapshots/", "history/"), 0)
    for seed in range(options.seed, options.seed + options.count):
        with tempfile.TemporaryDirectory() as folder:
            os.environ.update({"HOME": folder + "/home", "XDG_CONFIG_HOME": folder + "/home", "XDG_STATE_HOME": folder + "/home", "TZ": "UTC"})
            os.mkdir(folder + "/home")
            copies = Copies(sbfs, folder, seed)
            wanted = expected(copies.a, copies.b)
            told = [copies.merge()]
            edits += copies.edits
            for kind in kept:
                kept[kind] += sum(bool(re.match(kind, path)) for files in wanted.values() for path in files)
            for library in (copies.a, copies.b):
                compared += sum(map(len, wanted.values()))
                for line in differences(wanted, library):
                    failed += 1
                    print("FAILED seed %d, copy %s: %s" % (seed, library[-1], line))
            # And once more, with edits that no sbfs has seen.
            copies.edit_unseen()
            told.append(copies.merge())
            for count, lines in told:
                previewed += count
                failed += len(lines)
                for line in lines:
                    print("FAILED seed %d: %s" % (seed, line))
    print("%d pairs of copies, %d edits: %d conflicts, %d documents that lost, %d files of snapshots, %d files of history/"
          % (options.count, edits, *kept.values()))
    print("%d files compared, %d results of merges told by dry runs, %d differ" % (compared, previewed, failed))
    # A run that met no conflict and no loser shows nothing.
    return 1 if failed or not all(kept.values()) or not previewed else 0


if __name__ == "__main__":
    sys.exit(main())

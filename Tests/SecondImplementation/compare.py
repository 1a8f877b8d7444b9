#!/usr/bin/env python3
"""Compares this reader and writer, made from FORMAT.md, DeviceFiles.md and Exchange.md alone, with sbfs.

Usage: compare.py --sbfs PATH [--format FORMAT.md]
"""

import argparse
import collections
import contextlib
import hashlib
import io
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import exchange
import reader
import smallfile
import writer

ALL = "trashcan OR not trashcan"
SPAN = re.compile("`([^`]*)`")
NEW_TIME = re.compile(rb'("(?:updatedAt|trashedAt)": )"20[^"]*"')


class Tally:
    """Counts what was compared, by section."""

    def __init__(self):
        self.passed, self.failed = collections.Counter(), collections.Counter()
        self.section = ""

    def begin(self, section):
        self.section = section

    def equal(self, what, mine, theirs):
        if mine == theirs:
            self.passed[self.section] += 1
            return
        self.failed[self.section] += 1
        print("FAILED %s: %s\n  by FORMAT.md %s\n  found        %s"
              % (self.section, what, shortened(mine), shortened(theirs)))

    def report(self):
        for section in dict.fromkeys([*self.passed, *self.failed]):
            print("%s: %d compared" % (section, self.passed[section] + self.failed[section]))
        passed, failed = sum(self.passed.values()), sum(self.failed.values())
        print("%d passed, %d failed" % (passed, failed))
        return 1 if failed else 0


def shortened(value):
    text = repr(value)
    return text if len(text) <= 400 else text[:400] + "…"


class Program:
    """sbfs."""

    def __init__(self, path, environment):
        self.path, self.environment = os.path.abspath(path), environment

    def run(self, library, *arguments, text=None):
        return subprocess.run([self.path, "--library", library, *arguments], input=text,
                              env=self.environment, capture_output=True, encoding="utf-8")

    def do(self, library, *arguments, text=None):
        """Runs a command that must succeed; its output."""
        result = self.run(library, *arguments, text=text)
        if result.returncode:
            raise RuntimeError("sbfs %s: %s" % (" ".join(arguments), result.stderr))
        return result.stdout

    def ids(self, library):
        return sorted(self.do(library, "list", ALL, "--ids").split())

    def shown(self, library, ids):
        """The output of show: of all items at once, else of each alone."""
        result = self.run(library, "show", *ids, "--ndjson")
        if result.returncode:
            result.stdout = "".join(self.run(library, "show", one, "--ndjson").stdout
                                    for one in ids)
        return [json.loads(line) for line in result.stdout.splitlines()]

    def rows(self, library):
        """Rows like the reader's, by id, and beside them the tags as item.json has them."""
        rows, ids = {}, self.ids(library)
        listed = [json.loads(line) for line in
                  self.do(library, "list", ALL, "--ndjson").splitlines()]
        shown = self.shown(library, ids)
        texts = {one["sbfs"]["folder"]: one["sbfs"].get("text") for one in shown}
        for one in listed:
            derived = one["sbfs"]
            identifier = derived["folder"].rpartition("/")[2]
            rows[identifier] = {"id": one.get("id", identifier), "raw": one.get("tags"),
                                "document": derived.get("document"),
                                "archive": derived.get("archive"),
                                "isUnavailable": bool(derived.get("unavailable")),
                                "text": texts.get(derived["folder"], "not shown")}
            for key in ("kind", "displayTitle", "collections", "isTrashed", "createdAt",
                        "updatedAt"):
                rows[identifier][key] = derived[key]
        for line in self.do(library, "list", ALL, "--format", "tsv").split("\n"):
            cells = line.split("\t")
            if cells[0] in rows:
                rows[cells[0]]["shown"] = cells[4]
        return rows

    def complaints(self, library, *options):
        """The findings of check: paths below the library, and messages."""
        result = self.run(library, "check", "--json", *options)
        return [(entry["path"], entry["message"]) for entry in json.loads(result.stdout)]


def compare_rows(tally, program, library, what):
    """Every field of every item, as both see it."""
    theirs = program.rows(library)
    mine = {item.id: item for item in reader.Library(library).items()}
    tally.equal(what + ": ids, only here and only there", ([], []),
                (sorted(set(mine) - set(theirs)), sorted(set(theirs) - set(mine))))
    for identifier in sorted(set(mine) & set(theirs)):
        compare_item(tally, mine[identifier], theirs[identifier], "%s %s" % (what, identifier))


def compare_item(tally, item, theirs, what):
    row = item.row()
    tally.equal(what + " id", row.pop("id"), theirs["id"].lower())
    shown = ",".join(row.pop("tags"))
    if "\\" not in theirs["shown"] + shown:
        tally.equal(what + " tags", shown, theirs["shown"])
    if isinstance(theirs["raw"], list) and not re.search("[\ud800-\udfff]", str(theirs["raw"])):
        tally.equal(what + " raw tags", item.fields.get("tags"),
                    [tag for tag in theirs["raw"] if isinstance(tag, str)])
    for key, value in row.items():
        tally.equal("%s %s" % (what, key), value, theirs[key])


# ---------------------------------------------------------------- FORMAT.md

class Specification:
    def __init__(self, path):
        with open(path, encoding="utf-8", newline="") as file:
            self.text = file.read()

    def section(self, heading):
        """The text below a heading, up to the next one of any level."""
        start = self.text.index("\n" + heading)
        return re.split("\n##+ ", self.text[start + len(heading) + 1:])[0]

    @staticmethod
    def tables(text):
        """The rows of each table, as lists of cells, without the heads."""
        tables = []
        for block in re.findall(r"(?:^\|.*\n)+", text + "\n", re.MULTILINE):
            rows = [[cell.strip() for cell in line.strip().strip("|").split("|")]
                    for line in block.splitlines()]
            tables.append(rows[2:])
        return tables

    def files(self):
        """Annex A: paths and contents."""
        found = re.findall(r"^File: ([^\n]+)\n```text\n(.*?)^```$", self.text,
                           re.MULTILINE | re.DOTALL)
        return [(path, content.encode("utf-8")) for path, content in found]


NAMED = {"LF": "\n", "CR": "\r", "TAB": "\t"}
TOKEN = re.compile(r"(?:([0-9]+) × )?`([^`]*)`|\b(LF|CR|TAB)\b|U\+([0-9A-F]{4,6})")


def cell_text(cell):
    """The text that a cell of a table stands for: spans, names of characters, repetitions."""
    pieces = []
    for count, span, name, code in TOKEN.findall(cell):
        pieces.append(NAMED[name] if name else chr(int(code, 16)) if code
                      else span * int(count or 1))
    return "".join(pieces)


# ---------------------------------------------------------------- 1 annex A

def annex_a(tally, program, specification, folder):
    tally.begin("annex A")
    library = os.path.join(folder, "annex")
    for path, content in specification.files():
        write(library, path, content)
    settle_times(library)
    rows = {item.id: item.row() for item in reader.Library(library).items()}
    for cells in specification.tables(specification.section("## Annex A"))[-1]:
        compare_annex_row(tally, rows, cells)
    compare_rows(tally, program, library, "annex A")
    compare_facts(tally, specification, library)
    tally.equal("check", [], program.complaints(library, "--read-data"))
    for path in item_files(library):
        os.utime(path)
    compare_rows(tally, program, library, "annex A, touched after it was adopted")
    compare_titling(tally, program, library)


def settle_times(library):
    """Gives each file of an item the modification time of its `updatedAt`."""
    for item in reader.Library(library).items():
        moment = item.fields["updatedAt"] / 1000
        for parent, _, names in os.walk(os.path.join(library, item.path)):
            for name in names:
                os.utime(os.path.join(parent, name), (moment, moment))


def item_files(library):
    for parent, _, names in os.walk(os.path.join(library, "items")):
        for name in names:
            yield os.path.join(parent, name)


def compare_annex_row(tally, rows, cells):
    identifier = cell_text(cells[0])
    row = rows.get(identifier, {})
    expected = {"kind": cells[1], "displayTitle": cell_text(cells[2]),
                "tags": SPAN.findall(cells[3]), "collections": SPAN.findall(cells[4]),
                "createdAt": cells[5], "updatedAt": cells[6]}
    for key, value in expected.items():
        tally.equal("table %s %s" % (identifier, key), value, row.get(key))


def compare_facts(tally, specification, library):
    """What annex A says below its table."""
    items = {item.kind: item for item in reader.Library(library).items()}
    facts = specification.text[specification.text.index("\nFurther: "):].splitlines()[1]
    link, document = SPAN.findall(facts)[:2]
    size = int(re.search("([0-9]+) bytes", facts).group(1))
    tally.equal("normal form", link, reader.normal_form(items["link"].fields["linkURL"]))
    with open(os.path.join(library, items["document"].path, document), "rb") as file:
        content = file.read()
    tally.equal("size of the document", size, len(content))
    tally.equal("hash of the document", items["document"].fields["documentSHA256"][:16],
                reader.hash16(content))


def compare_titling(tally, program, library):
    """Setting the title puts one line between `type` and `tags`."""
    copy = library + "-titled"
    shutil.copytree(library, copy)
    item = reader.Library(library).items()[0]
    path = os.path.join(item.path, "item.json")
    old = read(library, path)
    expected = old.replace(b'  "tags": [', b'  "title": "Bread",\n  "tags": [')
    with writer.Writer(copy) as opened:
        opened.change(item.id, {"title": reader.string("Bread")})
    program.do(library, "title", item.id, "Bread")
    tally.equal("titled by the writer", masked(expected), masked(read(copy, path)))
    tally.equal("titled by sbfs", masked(expected), masked(read(library, path)))


def masked(data):
    return NEW_TIME.sub(rb'\1"later"', data)


def write(library, path, content):
    target = os.path.join(os.fsencode(library), os.fsencode(path))
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode("utf-8"))


def read(library, path):
    with open(os.path.join(library, path), "rb") as file:
        return file.read()


# ---------------------------------------------------------------- 2 annex B

def annex_b(tally, specification):
    tally.begin("annex B and other examples")
    link_vectors(tally, specification)
    copy_vectors(tally, specification)
    name_vectors(tally, specification)
    tag_vectors(tally, specification)
    title_vectors(tally, specification)
    time_vectors(tally, specification)
    effective_vectors(tally, specification)
    json_vectors(tally, specification)
    inbox_vectors(tally, specification)
    version_examples(tally, specification)


def version_examples(tally, specification):
    """§ 8.7: the examples are versions, and written from their parts they have the same name and bytes."""
    section = specification.section("### 8.7")
    found = re.findall(r"^`history/([0-9a-f]{64})\.json`\n\n```text\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    tally.equal("examples of versions", 2, len(found))
    for name, text in found:
        version = reader.Version(name, text.encode())
        tally.equal("version %s" % name[:8], (name, version.data), writer.version(
            version.parents[::-1], version.item, version.text, version.files[::-1], version.resolved[::-1]))
        try:
            reader.Version(name, text.encode() + b" ")
            tally.equal("version of other bytes", "refused", "read")
        except reader.NoVersion:
            pass


def inbox_vectors(tally, specification):
    section = specification.section("### B.7")
    library = SPAN.search(section).group(1)
    for cells in specification.tables(section)[0]:
        path, content, number, identifier = (cell.strip("`") for cell in cells)
        tally.equal("item of %s" % path, identifier, reader.inbox_id(
            library, bytes.fromhex(path), bytes.fromhex(content), int(number)))


def link_vectors(tally, specification):
    section = specification.section("### B.1")
    equal, unequal = specification.tables(section)
    for cells in equal:
        one, other, normal = map(cell_text, cells)
        tally.equal(one, normal, reader.normal_form(one))
        tally.equal(other, normal, reader.normal_form(other))
    for cells in unequal:
        forms = [reader.normal_form(cell_text(cell)) for cell in cells[:2]]
        tally.equal("%s and %s" % tuple(cells[:2]), (True, False),
                    (None not in forms, forms[0] == forms[1]))
    none, passing = re.search(r"No links.*?: (.*)\n\nOf these.*?: (.*)", section).groups()
    none, passing = SPAN.findall(none), SPAN.findall(passing)
    for link in none:
        tally.equal(link, (None, link in passing),
                    (reader.normal_form(link), reader.passes_quick_look(link)))


def document_names(specification):
    """§ 3.2: originals, stored names and `documentName`s."""
    for original, stored, said in specification.tables(specification.section("### 3.2"))[0]:
        data = cell_text(original).encode("utf-8")
        if original.startswith("the bytes "):
            data = bytes.fromhex(original[len("the bytes "):])
        name = None if said == "absent" else \
            data.decode("utf-8") if said == "the original" else cell_text(said)
        yield data, cell_text(stored), name


def name_vectors(tally, specification):
    for original, stored, said in document_names(specification):
        tally.equal("name %r" % original, (stored, said), reader.stored_name(original))
    for name, file in specification.tables(specification.section("### B.2"))[0]:
        tally.equal("slug " + name, cell_text(file), reader.slug_name(cell_text(name)))


def copy_vectors(tally, specification):
    """The names of conflict copies, and which of the three other files each is no copy of."""
    for name, original, certain in specification.tables(specification.section("### 3.6"))[1]:
        name = cell_text(name)
        for candidate in ("item.json", "text.md", "plan"):
            expected = certain == "yes" if candidate == cell_text(original) else None
            tally.equal("copy %s of %s" % (name, candidate), expected, reader.copy_name(name, candidate))


def tag_vectors(tally, specification):
    section = specification.section("### B.3")
    for tag, as_read, collection, levels in specification.tables(section)[0]:
        tag, name = cell_text(tag), None if collection == "none" else cell_text(collection)
        tally.equal("tag " + tag, cell_text(as_read), reader.read_tag(tag))
        tally.equal("collection of " + tag, name, reader.collection_of(tag))
        if name is not None:
            expected = [cell_text(level) for level in levels.split("then")]
            tally.equal("levels of " + tag, expected, reader.levels(name))
    lists = section[section.index("Lists of tags:"):]
    for tags, as_read in re.findall(r"((?:`[^`]*`(?:, )?)+) read as ((?:`[^`]*`(?:, )?)+)", lists):
        tally.equal("list " + tags, SPAN.findall(as_read), reader.read_tags(SPAN.findall(tags)))
    two = SPAN.findall(re.search(r"((?:`[^`]*`(?:, )?)+) stay two", lists).group(1))
    tally.equal("list of two", two, reader.read_tags(two))


def titles(specification):
    """§ B.4: what is there, and the display title."""
    for cells in specification.tables(specification.section("### B.4"))[0]:
        yield [cell_text(cell) if cell else None for cell in cells[:6]], cell_text(cells[6])


def title_vectors(tally, specification):
    for (title, text, page, name, file, link), expected in titles(specification):
        data = None if text is None else text.encode("utf-8")
        tally.equal("title " + expected, expected,
                    reader.display_title(title, data, page, name, file, link))


def times(specification):
    """§ B.5: spellings, instants and how they are written; then the faults."""
    section = specification.section("### B.5")
    found = [(cell_text(text), int(re.search("-?[0-9]{1,}(?= in UTC|$)", instant).group()),
              SPAN.findall(written)[0])
             for text, instant, written in specification.tables(section)[0]]
    return found, SPAN.findall(section[section.index("Faults:"):])


def time_vectors(tally, specification):
    good, faults = times(specification)
    for text, instant, written in good:
        tally.equal("time " + text, (instant, written),
                    (reader.parse_time(text), reader.write_time(instant)))
    for text in faults:
        tally.equal("time " + text, None, reader.parse_time(text))


def effective_vectors(tally, specification):
    """§ 5.9: the table of effective times."""
    now = reader.parse_time("2026-11-21T20:00:00Z")
    moments = {"absent": None, "any": None, "now": now, "in two days": now + 2 * reader.DAY}

    def moment(cell):
        cell = cell.partition(":  ")[0] if cell in moments else cell
        if cell in moments:
            return moments[cell]
        return reader.parse_time("2026-11-21T%sZ" % re.match("[0-9:]{8}", cell).group())

    for cells in specification.tables(specification.section("### 5.9"))[0]:
        updated, latest, adopted, expected = map(moment, cells)
        tally.equal("effective time " + " ".join(cells), expected,
                    reader.effective_time(updated, latest, adopted, now))


def json_vectors(tally, specification):
    for text, written, _ in specification.tables(specification.section("### B.6"))[0]:
        text = cell_text(text)
        tally.equal("string " + text, cell_text(written) + "\n",
                    reader.canonical(reader.Document(text.encode("utf-8")).root).decode("utf-8"))
    before, after = re.findall("```text\n(.*?)```", specification.section("### 5.2"), re.DOTALL)
    root = reader.Document(before.rstrip("\n").encode("utf-8")).root
    writer.put(root, "title", reader.string("T"))
    writer.put(root, "extra", reader.Value("true"))
    tally.equal("canonical JSON", after, reader.canonical(root).decode("utf-8"))


# ---------------------------------------------------------------- 3 by the writer

def made_by_writer(tally, program, folder):
    tally.begin("made by the writer")
    library, document = os.path.join(folder, "written"), os.path.join(folder, "~$draft.tmp")
    write(folder, "~$draft.tmp", "draft\n")
    command(tally, library, "init", "Made here")
    first = command(tally, library, "add-snippet", " Odd  title ", "# Text\n", "b", "B",
                    "COLLECTION:  Work/AI\\/ML")
    link = command(tally, library, "add-link", "HTTPS://Example.com:443/ü?q#/x", "a, b")
    paper = command(tally, library, "add-document", document)
    command(tally, library, "add-snippet", "", "\r\n## From the text\r\n")
    command(tally, library, "title", link, "Caffè \"quoted\" \u2028 \x7f")
    command(tally, library, "tag", first, "c", "B", "collection:Home")
    command(tally, library, "append", first, "A paragraph")
    command(tally, library, "append", link, "A first text")
    command(tally, library, "trash", paper)
    compare_rows(tally, program, library, "by the writer")
    purged = command(tally, library, "add-snippet", "gone", "gone")
    command(tally, library, "trash", purged)
    command(tally, library, "purge", purged)
    compare_rows(tally, program, library, "by the writer, purged")
    result = program.run(library, "check", "--read-data")
    tally.equal("check", (0, ""), (result.returncode, result.stdout))
    tally.equal("notes of check", [], program.complaints(library, "--notes"))


def command(tally, library, *arguments):
    """Runs the writer's command line; the id that it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        status = writer.main([library, *arguments])
    identifier = printed.getvalue().strip()
    tally.equal("writer " + arguments[0], (0, True), (status, reader.is_uuid(identifier)))
    return identifier


# ---------------------------------------------------------------- 4 by sbfs

def made_by_sbfs(tally, program, specification, folder):
    tally.begin("made by sbfs")
    library = os.path.join(folder, "made")
    program.do(library, "init", "--name", "Made there")
    add_by_sbfs(program, library, specification, folder)
    compare_rows(tally, program, library, "by sbfs")
    for original, stored, said in document_names(specification):
        tally.equal("name %r" % original, True, stored_as(library, original, stored, said))
    edit_by_hand(library)
    add_vectors(library, specification)
    add_identities(library)
    add_tombstones(library)
    add_times(library)
    compare_rows(tally, program, library, "edited by hand")
    compare_links(tally, program, os.path.join(folder, "links"), specification)


def add_by_sbfs(program, library, specification, folder):
    add = ("add", "--type")
    text = "# A *text*\n\nwith two paragraphs"
    program.do(library, *add, "snippet", "-", "--title", " odd\t title\u2028", text=text)
    program.do(library, *add, "snippet", "-", "--tag", "É,e\u0301,Straße,STRASSE", text="\n\n#x\n")
    program.do(library, *add, "link", "HTTP://BÜCHER.example:80/a?b#!c", "-c", "Work/Projects")
    for original, _, _ in document_names(specification):
        if is_utf8(original) and b"/" not in original:
            path = os.path.join(folder, os.fsdecode(original))
            write(folder, original, "x")
            program.do(library, *add, "document", path)
            os.remove(path)
    trashed = program.do(library, *add, "snippet", "-", text="in the trash").strip()
    purged = program.do(library, *add, "snippet", "-", text="purged").strip()
    program.do(library, "trash", trashed, purged)
    program.do(library, "purge", purged, "--now", "--yes")


def is_utf8(data):
    try:
        return bool(data.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def stored_as(library, original, stored, said):
    if not is_utf8(original) or b"/" in original:
        return True
    return any((item.document, item.fields.get("documentName")) == (stored, said)
               for item in reader.Library(library).items())


_numbers = itertools.count(1)


def hand_made(library, content, files=(), shard=None, identifier=None):
    """Writes an item by hand: item.json and more files. Its id."""
    identifier = identifier or "01a1a275-eeba-7400-b21a-%012x" % next(_numbers)
    folder = "items/%s/%s/" % (shard or reader.shard_of(identifier), identifier)
    if not isinstance(content, (str, bytes)):
        content = json.dumps(content, ensure_ascii=False)
    for name, data in {**dict(files), "item.json": content}.items():
        write(library, folder + name, data)
    return identifier


def edit_by_hand(library):
    """§§ 5–7: the cases that editors and replications make."""
    hand_made(library, {"textContent": "# In item.json"})
    hand_made(library, {"textContent": "a"}, {"text.md": "b"})
    hand_made(library, {"textContent": "a"}, {"text.md": ""})
    hand_made(library, {"textContent": "a"}, {"text.md/x": ""})
    hand_made(library, {}, {"text.md": b"\xef\xbb\xbf# \xff\xe2\x82 x\r\n"})
    hand_made(library, {"mood": {"calm": [1.5e1]}, "title": None, "tags": None, "id": None})
    upper = "01a1a275-eeba-7400-b21a-00000000beef"
    hand_made(library, {"id": upper.upper(), "title": "upper"}, identifier=upper)
    hand_made(library, {"title": "wrong shard"}, shard="ff")
    for content in ({"type": "other", "linkURL": "http://x/"}, {"type": "Link"},
                    {"linkURL": "ftp://x/"}, {"linkURL": "http://x:99999/", "tags": "a"},
                    {"title": 1, "tags": ["a", 1, None, "b"], "updatedAt": "yesterday"},
                    {"documentName": "no file"}, {"linkTitle": "  ", "linkURL": "http://[::1]:8/"},
                    {"documentRelativePath": "document/not-here-yet"}, [], "x"):
        hand_made(library, content)
    for tags in (["TrashCan"], [" a ", "A", "", "b\tc", "collection: ", "collection:\u0301x"],
                 ["K", "k", "\u212a", "Å", "\u212b", "İ", "i̇"], ["ΟΔΟΣ", "οδοσ", "οδος"]):
        hand_made(library, {"tags": tags})
    hand_made(library, {"trashedAt": "2026-11-01"})
    hand_made(library, {"trashedAt": "soon"})
    add_texts(library)
    add_documents(library)
    add_pages(library)


def add_texts(library):
    """§ 5.4: texts that the display title is taken from."""
    for text in ("", "#\n##\nx", "# #tag", "#\tx", "\x01\n\x0b\nx", "a" * 300, "e\u0301" * 300,
                 "🇩🇪" * 210, "👩‍👩‍👧" * 90, "a" * 2047 + "é", "\n" * 2047 + "x",
                 "\n" * 2048 + "x", "하" * 300, "x\u2028y", "\ufeff\ufeffx"):
        hand_made(library, {}, {"text.md": text})
    hand_made(library, {}, {"text.md": "# #\nmore than heading marks"})


def add_documents(library):
    """§ 7.1."""
    def with_files(names, promised=None, **keys):
        content = {"documentRelativePath": promised, **keys}
        hand_made(library, content, {"document/" + name: "x" for name in names})

    with_files(["dropped.pdf"])
    with_files(["renamed.pdf"], "document/before.pdf")
    with_files(["a", "b"])
    with_files(["a", "b"], "document/b")
    with_files(["a", "b"], "document/c")
    with_files(["a", "e\u0301"], "document/é")
    with_files([".a", "b~", "c"])
    with_files([".a", "b"], "document/.a")
    with_files([".a"])
    with_files(["a", "b"], "a")
    with_files(["a", "b"], "document/../document/a")
    with_files(["deep/a", "b"], "document/deep/a")
    for lost in ("a.conflict-01234567.txt", "a.conflict-01234567", "a.conflict-0123456g", "a.conflict-01234567.%s" % ("x" * 19),
                 "a.conflict-01234567.%s" % ("x" * 20), ".conflict-01234567.txt", "a.conflict-01234567x"):
        with_files([lost, "b"], "document/c")
        with_files([lost, "b", "d"], "document/c")
    with_files(["a.conflict-01234567.txt"], "document/c")
    with_files(["a.conflict-01234567.txt"])
    with_files(["a.conflict-01234567.txt"], "document/a.conflict-01234567.txt")
    with_files(["e\u0301.conflict-01234567.txt"], "document/é.conflict-01234567.txt")
    with_files(["a\nb"])
    with_files(["a"], documentName="Other/name")
    with_files(["a"], documentName="")
    folder = "items/%s/%s/document/" % ("fe", "01a1a275-eeba-7400-b21a-0000000000fe")
    hand_made(library, {"documentRelativePath": "document/link"},
              identifier="01a1a275-eeba-7400-b21a-0000000000fe")
    write(library, folder + "a", "x")
    os.symlink("a", os.path.join(library, folder + "link"))
    hand_made(library, {}, {b"document/\xff.txt".decode("utf-8", "surrogateescape"): "x"})


def add_pages(library):
    """§ 7.1 rule 3, § 8.5."""
    link = "https://example.org/page"
    page, article = {"page.html": "<p>"}, {"reader.html": "<p>"}
    for status in (None, "pending", "full", "partial", "failed", "later"):
        for promised in (None, "page.html", "reader.html", "assets/x.html", "../x"):
            for files in ({}, page, article, {"assets/x.html": "<p>"}, {"document/a.pdf": "x"}):
                hand_made(library, {"linkURL": link, "archiveStatus": status,
                                    "htmlRelativePath": promised}, files)
    hand_made(library, {"archiveStatus": "full"})
    hand_made(library, {"htmlRelativePath": "page.html"})
    hand_made(library, {}, page)
    for promised in (None, "document/a.pdf", "a.pdf", 3):
        for names in (["a.pdf"], ["b.pdf", "a.pdf"], ["a.pdf", "document/b.pdf"],
                      ["a.pdf", "document/b.pdf", "document/c.pdf"], ["a.pdf", "document/.b.part"],
                      ["a.part", "b~", "favicon.ico", "x.sync-conflict-1.md"], ["a.pdf", "document"],
                      ["a.pdf", "page.html", "text.md"], ["Z", "a"], ["\u00e9", "e\u0301"]):
            hand_made(library, {"documentRelativePath": promised}, {name: "x" for name in names})


def add_vectors(library, specification):
    """The vectors of annex B as items."""
    for (title, text, page, name, file, link), _ in titles(specification):
        content = {"title": title, "linkTitle": page, "documentName": name, "linkURL": link}
        files = {} if text is None else {"text.md": text}
        hand_made(library, content, {**files, **({"document/" + file: "x"} if file else {})})
    good, faults = times(specification)
    for text in [text for text, _, _ in good] + faults:
        if not text.startswith("2026-12"):
            hand_made(library, {"createdAt": text, "updatedAt": text})
    for cells in specification.tables(specification.section("### B.3"))[0]:
        hand_made(library, {"tags": ["x", cell_text(cells[0]), "X"]})


def add_identities(library):
    """§ 5.5."""
    def place(name, shards, content="{}"):
        for shard in shards:
            title = json.dumps({"title": "%s in %s" % (name, shard)}) if content == "{}" else content
            write(library, "items/%s/%s/item.json" % (shard, name), title)

    one = "01a1a275-eeba-7400-b21a-1000000000%s"
    place(one % "aa", ["aa", "bb"])
    place(one % "ab", ["cc", "bb"])
    place(one % "ac", ["ac"], '{"id": 1}')
    place(one % "ad", ["ad"], '{"id": "%s"}' % (one % "aa"))
    place((one % "ae").upper(), ["ae"])
    for name in (reader.NIL, "{%s}" % (one % "af"), (one % "af").replace("-", ""), "folder"):
        place(name, ["af"])
    place(one % "ba", ["BA", "b", "zzz"])
    write(library, "items/bc/%s/text.md" % (one % "bc"), "not here yet")
    write(library, "items/bd/%s/item.json/x" % (one % "bd"), "a folder")
    place(one % "ca", ["cb"])
    os.makedirs(os.path.join(library, "items/ca"), exist_ok=True)
    os.symlink("../cb/" + one % "ca", os.path.join(library, "items/ca", one % "ca"))


def add_tombstones(library):
    """§ 10: which tombstones hide an item in the trash."""
    at, late = "2026-11-02T00:00:00.000Z", "2026-11-02T00:00:00.001Z"
    marks = {"tags": ["trashcan"], "trashedAt": "2026-11-01T00:00:00.000Z", "updatedAt": at}
    stones = [(marks, {"purgedAt": at}), (marks, {"purgedAt": "2026-11-02T01:00:00+01:00", "id": 1}),
              ({**marks, "updatedAt": late}, {"purgedAt": at}),
              ({**marks, "tags": []}, {"purgedAt": at}),
              ({**marks, "trashedAt": None}, {"purgedAt": at}),
              (marks, {"purgedAt": "2999-01-01T00:00:00Z"}), (marks, {"purgedAt": "never"}), (marks, {}), (marks, []), (marks, None)]
    # With hashes, the bytes say what the purge found, and the time does not count.
    stones += [(marks, {"purgedAt": stamp, "hashes": which}) for stamp in (at, "2026-10-01T00:00:00.000Z", None)
               for which in ("item", "other", "none", "broken")]
    for content, stone in stones:
        identifier = hand_made(library, content)
        if stone and "hashes" in stone:
            with open(os.path.join(library, "items", reader.shard_of(identifier), identifier, "item.json"), "rb") as file:
                data = reader.canonical(reader.Document(file.read()).root)
            right, wrong = hashlib.sha256(data).hexdigest(), hashlib.sha256(b"other").hexdigest()
            stone = {**stone, "hashes": {"item": [wrong, right], "other": [wrong], "none": [], "broken": [7, right.upper()]}[
                stone["hashes"]]}
        path = "tombstones/%s/%s.json" % (reader.shard_of(identifier), identifier)
        write(library, path, "no JSON" if stone is None else json.dumps(stone))
        age(library, identifier, "item.json", "2026-11-01T00:00:00Z")


def age(library, identifier, name, moment):
    path = os.path.join(library, "items", reader.shard_of(identifier), identifier, name)
    seconds = reader.parse_time(moment) / 1000
    os.utime(path, (seconds, seconds))


def add_times(library):
    """§ 5.9: the effect of modification times, before and after `.sbfs` is adopted."""
    for moment in ("2020-01-01T00:00:00Z", "2020-01-01T00:00:02.000Z", "2020-01-01T00:00:03Z"):
        identifier = hand_made(library, {"updatedAt": "2020-01-01T00:00:00Z"}, {"text.md": "x"})
        age(library, identifier, "item.json", "2019-01-01T00:00:00Z")
        age(library, identifier, "text.md", moment)
        identifier = hand_made(library, {"title": "without a time"})
        age(library, identifier, "item.json", moment)
    hand_made(library, {"updatedAt": reader.write_time(reader.adopted_time(library) - 60_000)})
    age(library, hand_made(library, {}), "item.json", "1969-12-31T23:59:58.5Z")


def compare_links(tally, program, library, specification):
    """§ 5.6: sbfs does not add a link that the library has already."""
    program.do(library, "init")
    section = specification.section("### B.1")
    equal, unequal = specification.tables(section)
    for cells in equal + unequal:
        ids = [program.do(library, "add", "--type", "link", cell_text(cell)).strip()
               for cell in cells[:2]]
        tally.equal("same link: %s, %s" % tuple(cells[:2]), cells in equal, ids[0] == ids[1])
    none = SPAN.findall(re.search("No links.*", section).group())
    for link in none:
        result = program.run(library, "add", "--type", "link", link)
        tally.equal("not added: " + link, True, result.returncode != 0)


# ---------------------------------------------------------------- 5 in turns

ROUNDS = [("title", "First"), ("tag", "a"), ("append", "one\n"), ("title", "È \"2\"\u2028\\"),
          ("tag", "A"), ("tag", "Collection: Work"), ("append", "two\n"), ("title", "First"),
          ("title", "First"), ("tag", "b")]


def in_turns(tally, program, folder):
    tally.begin("changed in turns")
    here, there = os.path.join(folder, "turns"), os.path.join(folder, "turns-other")
    writer.init(here, "Turns")
    content = (b'\xef\xbb\xbf{"mood":"c\\u0061lm","id":"%s","n":[1.50e1,{}],"lone":"\\ud800\\/",'
               b'"tags":[" x ","X"],"textContent":"moved\\n"}')
    identifier = "01a1a275-eeba-7400-b21a-0000000000fa"
    hand_made(here, content % identifier.upper().encode("ascii"), identifier=identifier)
    shutil.copytree(here, there)
    for number, (what, text) in enumerate(ROUNDS * 2):
        text = text if number < len(ROUNDS) or what == "append" else text + str(number)
        mine, theirs = (here, there) if number % 2 else (there, here)
        change_by_writer(mine, identifier, what, text)
        change_by_sbfs(program, theirs, identifier, what, text)
        compare_changed(tally, program, (here, there), identifier, what, text)
        compare_noted(tally, theirs, identifier, "%s %s" % (what, text))
    for library, change in ((here, change_by_writer), (there, None)):
        if change:
            change(library, identifier, "trash", None)
        else:
            program.do(library, "trash", identifier)
    compare_changed(tally, program, (here, there), identifier, "trash", None)


def change_by_writer(library, identifier, what, text):
    with writer.Writer(library) as opened:
        if what == "title":
            opened.change(identifier, {"title": reader.string(text)})
        elif what == "tag":
            opened.change(identifier, tags=[text])
        elif what == "append":
            opened.append(identifier, text)
        else:
            opened.trash(identifier)


def change_by_sbfs(program, library, identifier, what, text):
    command = {"title": ["title"], "tag": ["tag", "add"], "append": ["append"]}[what]
    program.do(library, *command, identifier, text)


def compare_changed(tally, program, libraries, identifier, what, text):
    """Both see the change, and both wrote the same bytes except for the time."""
    trees = [tree(library, identifier) for library in libraries]
    tally.equal("bytes after %s %s" % (what, text), trees[0], trees[1])
    for library in libraries:
        item = reader.Library(library).items()[0]
        theirs = program.rows(library)[identifier]
        compare_item(tally, item, theirs, what)
        seen = {"title": item.display_title, "append": item.row()["text"] or "",
                "tag": [*item.tags, *map("Collection: ".__add__, item.collections)]}
        if what in seen:
            inside = text.lower() in str(seen[what]).lower() if what == "tag" else \
                seen[what].endswith(reader.collapse(text) if what == "title" else text)
            tally.equal("%s is seen" % what, True, inside)


def tree(library, identifier):
    """The files of an item, without the times that a writer sets, and without versions, whose names come from them."""
    folder = os.path.join(library, "items", reader.shard_of(identifier), identifier)
    files = {}
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "history"]
        for name in names:
            path = os.path.join(parent, name)
            key = re.sub("[0-9]{8}T[0-9]{6}Z", "…", os.path.relpath(path, folder))
            files[key] = masked(read(parent, name))
    return files


def compare_noted(tally, library, identifier, what):
    """§ 8.7: sbfs noted what it changed. One version says what is live, and all it came from is here."""
    folder = os.path.join(library, "items", reader.shard_of(identifier), identifier)
    history = os.path.join(folder, "history")
    names = sorted(os.listdir(history)) if os.path.isdir(history) else []
    versions, texts = {}, set()
    for name in names:
        data = read(history, name)
        if name.endswith(".md"):
            tally.equal("name of a text after " + what, name, hashlib.sha256(data).hexdigest() + ".md")
            texts.add(name[:-3])
        else:
            versions[name[:-5]] = reader.Version(name[:-5], data)
    parents = {parent for version in versions.values() for parent in version.parents}
    heads = [version for name, version in versions.items() if name not in parents]
    tally.equal("heads after " + what, 1, len(heads))
    tally.equal("what is missing after " + what, set(), (parents - set(versions)) | ({
        version.text for version in versions.values() if version.text} - texts))
    live = reader.Document(read(folder, "item.json")).object()
    path = os.path.join(folder, "text.md")
    text = hashlib.sha256(read(folder, "text.md")).hexdigest() if os.path.exists(path) else None
    wanted = writer.version(heads[0].parents, live, text, heads[0].files) if heads else None
    tally.equal("the last version after " + what, wanted, (heads[0].name, heads[0].data) if heads else None)


def same_changes(tally, program, folder):
    """One change by each, on many states of an item."""
    tally.begin("the same change")
    states = [
        ("{}", {}), ('{"title":null,"tags":null,"updatedAt":null}', {}),
        ('{"zz":1,"trashedAt":"x","type":"snippet","description":"d","aa":1}', {}),
        ('{"updatedAt":"2020-01-01T00:00:00Z","z":1,"tags":["a"],"createdAt":"2020-01-01"}', {}),
        ('{"a":"\\ud800\\u00e9","b\\udc00":"\\/\\u007f\\u2028\\b\\u001F","c":"\\ud83d\\ude00"}', {}),
        ('{"x":{"b":[1,{"a":[],"c":{}},[[]]],"a":-0.0E+10},"updatedAt":5}', {}),
        ('{"tags":[" q ","Q","","b\\tc","COLLECTION:  x"]}', {}), ('{"tags":["a",1]}', {}),
        ('{"tags":"a"}', {}), ('{"textContent":"hello"}', {}),
        ('{"textContent":"hello"}', {"text.md": "other"}),
        ('{"textContent":"hello"}', {"text.md": "hello"}), ('{"textContent":1}', {}),
        ("{}", {"loose.pdf": "x", "a~": "x", "favicon.ico": "x"}),
        ("{}", {"item.json.new": "x", "text 2.md": "x", "text-A.md": "x", "page.html.bak": "x", "texts.md": "x"}),
        ("{}", {"a\nb": "x"}), ("{}", {"a.conflict-01234567.txt": "x", "a.txt": "y"}), ("{}", {"a.conflict-01234567": "x"}),
        ('{"documentRelativePath":"document/later"}', {"loose.pdf": "x"}),
        ('{"tags":["TRASHCAN","x"]}', {}), ('{"trashedAt":"2026-11-01"}', {}), ("{", {}), ("[]", {}),
        ('{"id":"x"}', {}), ("{}", {"text.md": "a\r\n\r\n"}), ("{}", {"text.md": "a\n"}),
    ]
    here, there = os.path.join(folder, "same"), os.path.join(folder, "same-other")
    writer.init(here, "Same")
    items = {hand_made(here, content, files): content for content, files in states}
    # A loose file that was just written is not adopted yet.
    for path, _, names in os.walk(os.fsencode(os.path.join(here, "items"))):
        for name in names:
            os.utime(os.path.join(path, name), (1_700_000_000, 1_700_000_000))
    shutil.copytree(here, there)
    with writer.Writer(here) as opened:
        for identifier, content in items.items():
            for arguments, change in (
                    (("title", identifier, "T"),
                     lambda: opened.change(identifier, {"title": reader.string("T")})),
                    (("tag", "add", identifier, "t,Q"),
                     lambda: opened.change(identifier, tags=["t", "Q"])),
                    (("append", identifier, "p\n"), lambda: opened.append(identifier, "p\n")),
                    (("trash", identifier), lambda: opened.trash(identifier))):
                worked = program.run(there, *arguments).returncode == 0
                tally.equal("%s on %s" % (arguments[0], content), succeeds(change), worked)
                tally.equal("bytes after %s on %s" % (arguments[0], content),
                            tree(here, identifier), tree(there, identifier))
                if worked and "b\\udc00" not in content:
                    compare_noted(tally, there, identifier, "%s on %s" % (arguments[0], content))


def succeeds(change):
    try:
        change()
        return True
    except writer.Failed:
        return False


def against_editors(tally, program, folder):
    """§ 14: an editor saves between reading and placing."""
    tally.begin("against editors")
    library = os.path.join(folder, "editors")
    writer.init(library, "Editors")
    for exchanges in (True, False):
        with writer.Writer(library) as opened:
            opened.uses_exchange = exchanges
            joined = opened.add_snippet("old", "text")
            saved = b'{"title": "old", "mood": "calm"}'
            with saving(library, joined, saved):
                opened.change(joined, {"title": reader.string("new")})
            root = opened.item(joined).root
            tally.equal("joined", ("new", "calm"), tuple(root.get(k).value for k in ("title", "mood")))
            clashing = opened.add_snippet("old", "text")
            saved = b'{"title": "theirs"}'
            with saving(library, clashing, saved):
                tally.equal("clash", False, succeeds(
                    lambda: opened.change(clashing, {"title": reader.string("ours")})))
            files = tree(library, clashing)
            tally.equal("the editor's stays", saved, files["item.json"])
            kept = [files[name] for name in files if name.startswith("conflicts/")]
            tally.equal("ours is kept", [True], [b'"ours"' in data for data in kept])
    tally.equal("check names the conflicts alone", [True, True],
                [path.endswith("/conflicts") for path, _ in
                 program.complaints(library, "--read-data")])
    compare_rows(tally, program, library, "against editors")


@contextlib.contextmanager
def saving(library, identifier, data):
    """Saves another version of item.json between the next change's reading and its swap."""
    original, path = writer.Change.make, "items/%s/%s/item.json"

    def make(change, old, touch=False):
        writer.Change.make = original
        new = original(change, old, touch)
        write(library, path % (reader.shard_of(identifier), identifier), data)
        return new

    writer.Change.make = make
    try:
        yield
    finally:
        writer.Change.make = original


# ---------------------------------------------------------------- recovery (§ D3)

def recovered(tally, program, folder):
    """What the next opening does with a session that a killed process left behind."""
    tally.begin("recovery")
    identifier = "01a1a275-eeba-7400-b21a-0000000000aa"
    base, ours, theirs, joined, third = (b'{"v": %d}\n' % number for number in range(5))

    def staged(new, old):
        return writer.staged_name(identifier, "item.json", new, old)

    cases = [
        (base, {identifier + "/item.json": ours, "document-" + identifier: ours, "kept-x": ours,
                "part-" + staged(ours, base): ours, "unknown": ours}),
        (base, {staged(ours, base): ours}), (ours, {staged(ours, base): base}),
        (ours, {staged(ours, base): theirs}), (third, {staged(ours, base): theirs}),
        (None, {staged(ours, base): theirs}),
        (joined, {staged(ours, base): theirs, staged(joined, theirs): ours}),
        (ours, {staged(ours, base): theirs, staged(joined, theirs): joined}),
        (joined, {staged(ours, base): theirs, staged(joined, theirs): third}),
        (joined, {staged(joined, theirs): third}),
        (None, {identifier + ".purged/item.json": base}),
    ]
    for number, (live, session) in enumerate(cases):
        library = os.path.join(folder, "left-%d" % number)
        writer.init(library, "Left")
        other = library + "-other"
        shutil.copytree(library, other)
        for one in (library, other):
            writer.Writer(one).__exit__()
            os.makedirs(os.path.join(one, "items/aa"))
            if live is not None:
                write(one, "items/aa/%s/item.json" % identifier, live)
            for name, data in session.items():
                write(one, ".sbfs/staging/0123456789abcdef/" + name, data)
        writer.Writer(library).__exit__()
        program.do(other, "reindex")
        tally.equal("left %d: the item" % number, tree(library, identifier),
                    tree(other, identifier))
        tally.equal("left %d: staging" % number, left(library), left(other))


def left(library):
    top = os.path.join(library, ".sbfs/staging")
    return sorted(os.path.relpath(os.path.join(parent, name), top)
                  for parent, folders, names in os.walk(top) for name in folders + names)


# ---------------------------------------------------------------- 6 malformed

# Each is a file and, where it is refused, whether the column is compared too. (§ 5.1 says how
# columns are counted, not which character a fault is at: of a word or of a string that does
# not end, the beginning is as good as the end.)
MALFORMED = [(text, True) for text in (
    "", " ", "{", "{}x", '{"a":1,}', '{"a" 1}', '{"a":01}', '{"a":-}', '{"a":1.}', '{"a":.5}',
    '{"a":+1}', '{"a":1e}', "{'a':1}", "{a:1}", '{"a":"\t"}', '{"a":\n\t"\n"}', '{"a":"\\q"}',
    '{"a":"\\u12g4"}', '{"a":1 // c\n}', "/* */{}", '{"a":1,"a":2}', '{"a":1,\n "\\u0061":2}',
    '{"x":{"b":1,"b":2}}', '{"\\ud800":1,"\\udc00":2}', '{"\\ud800":1,"\ufffd":2}', "[1,]",
    "[1 2]", "{,}", '{"a":[}', '\ufeff{"a":\nx}', "\ufeff\ufeff{}", '\n\n  {"ü":"é",x}',
    "\x0c{}", "\xa0{}", '{"a":1}\x00', '{"a":"\x00"}', b'{"a":"\xff"}', b'{"\xc3\x28":1}',
    b'{"a":"\xed\xa0\x80"}', b'{"a":"\xc0\x80"}', b'{"a":"\xf4\x90\x80\x80"}', b"{\xff}",
    b'{"ab":"\xc3\xa9\xe2\x82"}', b"\xff\xfe{\x00}\x00", '{"a":' + "[" * 64 + "]" * 64 + "}",
    '{"a":' * 65 + "1" + "}" * 65, "null", "[]", "1", '"x"', '{"a":1}{"b":2}', '{"a":1}\n\n  x',
    '{"a":1\r\n,}', '{"a":1,\r"b":x}', '{"😀":x}', '{"e\u0301":x}', '{"a":1}}', '{"a":1]',
    '{"a":1', '{"a":1,', '{"a":0x10}', '{"a"::1}', '{"a":1,,"b":2}', "{1:2}", '{"id":7}',
    '{\n  "id": "x"\n}', '{"title":\n  1}', '{"tags":["a",\n1]}', '{"archiveAttempts":1.5}',
    '{"linkURL":"mailto:x"}', '{"favicon":"../x"}', '{"documentSHA256":"x"}', '{"isPinned":0}',
    '{"createdAt":"now","updatedAt":1}',
)] + [(text, False) for text in (
    '{"a":tru}', '{"a":truex}', '{"a":True}', '{"a":NaN}', '{"a":nul', "tru", "nulll",
    '{\n"a":"x', '{"a":"\\', '{"a":"\\"}',
)] + [(text, True) for text in (
    "{}", "\ufeff{}", ' \r\n{ "a" :\t1 }\n\n', '{"a":' + "[" * 63 + "]" * 63 + "}",
    '{"a":{"b":1},"c":{"b":2}}', '{"a":"\x7f\u2028"}', '{"a":1E+999,"sortOrder":1e999}',
    '{"archiveAttempts":1e400}', '{"a":"\\ud83d\\u0041\\ud83d\\ud83d\\ude00"}', '{"é":1,"e\u0301":2}',
    '{"type":"other","archiveStatus":"later","source":"moon"}', '{"id":null,"title":null}',
)]


def malformed(tally, program, folder):
    tally.begin("malformed")
    library = os.path.join(folder, "malformed")
    writer.init(library, "Malformed")
    cases = {hand_made(library, text): (text, exact) for text, exact in MALFORMED}
    items, failures = reader.Library(library).scan()
    mine = {item.id: {place[1:] for place in item.faults} for item in items}
    mine.update({identifier: {(error.line, error.column)} for identifier, _, error in failures})
    listed, theirs = program.ids(library), places(program.complaints(library))
    for identifier, (text, exact) in cases.items():
        tally.equal("listed: %r" % text[:60], identifier in {item.id for item in items},
                    identifier in listed)
        columns = slice(0, 2 if exact else 1)
        tally.equal("places in %r" % text[:60], {place[columns] for place in mine[identifier]},
                    {place[columns] for place in theirs.get(identifier, set())})


def places(complaints):
    """The lines and columns that check names, by item."""
    found = {}
    for path, _ in complaints:
        match = re.search(r"([^/]*)/item\.json:([0-9]+):([0-9]+)$", path)
        if match:
            place = int(match.group(2)), int(match.group(3))
            found.setdefault(match.group(1), set()).add(place)
    return found


# ------------------------------------------------- library.json and owner (§§ 4, D2)

LIBRARY_FILES = [text.replace("ID", "01a1961f-5c00-7000-9d41-3b7e60a2f25a") for text in (
    "", "{", "[]", "{}", '{"format":1}', '{"id":"ID"}', '{"format":1,"id":"ID"}',
    '{"format":1.0,"id":"ID"}', '{"format":1e0,"id":"ID"}', '{"format":"1","id":"ID"}',
    '{"format":0,"id":"ID"}', '{"format":null,"id":"ID"}', '{"format":2,"id":"ID"}',
    '{"format":2,"minReader":1,"id":"ID"}', '{"format":2,"minReader":1,"minWriter":1,"id":"ID"}',
    '{"format":2,"minWriter":1,"id":"ID"}', '{"format":1,"minReader":2,"id":"ID"}',
    '{"format":1,"minWriter":2,"id":"ID"}', '{"format":1,"minReader":1.5,"id":"ID"}',
    '{"format":2,"minReader":1.0,"id":"ID"}', '{"format":1,"id":"x"}', '{"format":1,"id":null}',
    '{"format":1,"id":"00000000-0000-0000-0000-000000000000"}', '\ufeff{"format":1,"id":"ID"}',
    '{"format":1,"id":"ID","format":1}', '{"format":1,"minReader":99999999999999999999,"id":"ID"}',
    '{"format":1,"id":"ID","purgeDays":0,"maxFileSizeMB":"x","defaultTags":["a",1],"name":3}',
    '{"format":1,"id":"ID","defaultTags":["b"," B ","c"],"program":"x","minReader":null}',
)]


def library_files(tally, program, folder):
    """§ 4: who reads and who writes, and with which tags."""
    tally.begin("library.json and owner")
    for number, text in enumerate(LIBRARY_FILES):
        library = os.path.join(folder, "settings-%d" % number)
        writer.init(library, "Settings")
        write(library, "library.json", text)
        tally.equal("read with " + text, opens(reader.Library, library),
                    program.run(library, "list").returncode == 0)
        by_sbfs = program.run(library, "add", "--type", "link", "http://x/").returncode == 0
        by_writer = opens(lambda path: writer.run(path, "add-link", ["http://y/"]), library)
        tally.equal("written with " + text, by_writer, by_sbfs)
        if by_sbfs and by_writer:
            tags = [item.all_tags for item in reader.Library(library).items()]
            tally.equal("new tags with " + text, *tags)
    owners(tally, program, os.path.join(folder, "owner"))


def opens(opening, library):
    try:
        opening(library)
        return True
    except (reader.Refused, writer.Failed):
        return False


def owners(tally, program, library):
    """§ D2: whether `.sbfs` is this device's own, or is foreign and adopted again."""
    writer.init(library, "Owner")
    for what, changes in (
            ("the same", {}), ("one more key", {"x": 1}), ("a number", {"inode": 1}),
            ("another machine", {"machine": "0"}), ("another birth", {"birth": "1"}),
            ("another inode", {"inode": "1"}), ("no machine", {"machine": None}),
            ("no time", {"adoptedAt": "x"}), ("a date", {"adoptedAt": "2026-11-01"}),
            ("more than 4,096 bytes", {"x": "x" * 4096})):
        writer.Writer(library).__exit__()
        owner = {**json.loads(read(library, ".sbfs/owner")), **changes}
        write(library, ".sbfs/owner", json.dumps(owner))
        own = reader.adopted_time(library) is not None
        status = program.run(library, "reindex").returncode
        kept = json.loads(read(library, ".sbfs/owner")) == owner
        tally.equal("opened and own with " + what, (0, own), (status, kept))
        shutil.rmtree(os.path.join(library, ".sbfs"))


# ---------------------------------------------------------------- command line

# ---------------------------------------------------------------- an exchange

def carried(library):
    """The files of a library that travel: bytes and time of modification by path."""
    found = {}
    for top in ("items", "tombstones", "collections", "tags", "smart"):
        for folder, _, names in os.walk(os.path.join(library, top)):
            for name in names:
                path = os.path.join(folder, name)
                relative = os.path.relpath(path, library)
                if not name.startswith("."):
                    found[relative] = (read(library, relative), os.stat(path).st_mtime_ns)
    return found


def exchanged(tally, program, folder):
    """What Exchange.md says of an exchange that two devices of sbfs wrote."""
    tally.begin("exchange")
    here, there, shared = (os.path.join(folder, name) for name in ("here", "there", "shared"))
    program.do(here, "init", "--name", "Exchanged")
    ids = [program.do(here, "add", "-", "--title", "Title %d" % number, text="Text %d.\n" % number).split()[0]
           for number in range(3)]
    page = "items/%s/%s/" % (ids[0][-2:], ids[0])
    for name in ("page.html", "reader.html", "page.pdf", "assets/0123456789abcdef.css", "document/Größe.txt", "own/deep.txt",
                 "snapshots/20261121T101500Z-0123abcd/page.html", "assets/" + "n" * 200 + ".png"):
        write(here, page + name, ("of " + name).encode())
    program.do(here, "remote", "add", "shared", shared)
    program.do(here, "sync", "shared")
    program.do(there, "init", "--from", shared)
    program.do(there, "sync")
    for number, (library, words) in enumerate((
            (here, ("title", ids[1], "Renamed")), (there, ("append", ids[1], "More.")), (there, ("trash", ids[2])),
            (there, ("purge", ids[2], "--now", "--yes")), (here, ("tag", "add", ids[0], "late")))):
        program.do(library, *words)
        program.do(library, "sync")
        if number == 1:
            program.do(here, "sync")
    for library in (there, here, there):
        program.do(library, "sync")
    found, times = exchange.Exchange(shared).files()
    for path in [path for path in found if path.startswith("items/%s/%s/" % (ids[2][-2:], ids[2]))]:
        # Its tombstone says that it was purged.
        tally.equal("a tombstone", True, "tombstones/%s/%s.json" % (ids[2][-2:], ids[2]) in found)
        del found[path]
    for library in (here, there):
        mine = carried(library)
        tally.equal("paths", sorted(mine), sorted(found))
        for path, (data, _) in mine.items():
            tally.equal(path, data, found.get(path))
    for path, (_, time_of_file) in carried(here).items():
        if path in times and path.startswith(page):
            tally.equal("time of " + path, time_of_file, times[path])
    # The worked example.
    document = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Documentation/Exchange.md")
    with open(document, encoding="utf-8") as file:
        text = file.read()
    bundle = re.search(r"Its name is `([0-9a-f]{64})`", text).group(1)
    tar = bytearray(2048)
    for offset, data in re.findall(r"^\| (\d+) \| `([0-9a-f ]+)` \|", text, re.M):
        data = bytes.fromhex(data)
        tar[int(offset):int(offset) + len(data)] = data
    tally.equal("the bundle of § 5", bundle, hashlib.sha256(tar).hexdigest())
    tally.equal("the same, made", bytes(tar), exchange.tar_file({"page.html": b"<p>Bread</p>\n"}))
    for path in ("assets/0123456789abcdef.ä", "notes/" + "n" * 120 + ".txt"):
        name = hashlib.sha256(exchange.tar_file({path: b"x\n"})).hexdigest()
        tally.equal("the hash of " + path, True, "`%s`" % name in text)


# ----------------------------------------------------------------- small files

def random_small_file(draw, name):
    """A file of few values and times, so that many are the same on both sides."""
    members, times = {"name": name}, {}
    for key in ("colour", "icon", "order", "mine", "ä"):
        if draw.random() < 0.7:
            members[key] = draw.choice(["red", 1, {"b": [True, None], "a": "ü\u007f"}, [], "x/y"])
    if draw.random() < 0.2:
        members["updatedAt"] = draw.choice(["2026-11-21T10:15:00.000Z", "2026-11-21T11:15:00+01:00", "soon", 5])
    def mark(value):
        line = b"" if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace(
            "\x7f", "\\u007f").encode()
        return "2026-11-2%dT10:00:00.000Z %s" % (draw.randrange(6), hashlib.sha256(line).hexdigest()[:8])
    if draw.random() < 0.7:
        for key in ("name", "colour", "icon", "order", "mine", "ä", "updatedAt"):
            if draw.random() < 0.85:
                value = members.get(key) if draw.random() < 0.8 else "edited"
                times[key] = " ".join([mark(value), *(mark(draw.choice(["red", 1, None])) for _ in range(draw.randrange(7)))])
            elif draw.random() < 0.3:
                times[key] = draw.choice(["2026-11-21T10:00:00.000Z", "x", 5, "2026-11-21T10:00:00.000Z  e3b0c442"])
        members["changedAt"] = times
    if draw.random() < 0.1:
        members = {"name": name, "deletedAt": "2026-11-2%dT10:00:00.000Z" % draw.randrange(6)}
        if draw.random() < 0.7:
            members.update(stateSHA256="%064x" % 5, stateUpdatedAt="2026-11-2%dT10:00:00.000Z" % draw.randrange(6))
    text = json.dumps(members, ensure_ascii=draw.random() < 0.5, indent=draw.choice([None, 2]))
    # 20 to 26 November 2026, in nanoseconds.
    return text.encode(), 1_795_168_800_000_000_000 + draw.randrange(6) * 86_400_000_000_000 + draw.choice([0, 1_234_567])


def small_files(tally, program, document, folder):
    """What two copies of each small file are joined to: the same bytes and times, whichever copy is merged into the other."""
    tally.begin("small files")
    with open(document, encoding="utf-8") as file:
        example = re.search(r'```text\n(\{\n  "name": "Work",\n.*?\n\}\n)```', file.read(), re.S).group(1).encode()
    # The file is modified later: each key of which the hash is wrong would have its time.
    tally.equal("the example of § 9.2", {"name": 20, "colour": 20, "icon": 21, "order": 21}, {
        name: int(reader.write_time(key.at)[8:10]) for name, key in smallfile.State(example, 1 << 61).keys.items()})
    draw = random.Random(9)
    copies = [os.path.join(folder, "small-" + name) for name in ("one", "two", "again")]
    program.do(copies[0], "init", "--name", "Small")
    shutil.rmtree(os.path.join(copies[0], "smart"))
    for copy in copies[1:]:
        shutil.copytree(copies[0], copy, ignore=shutil.ignore_patterns(".sbfs"))
    states = {}
    for number in range(400):
        name = "N%d" % number
        path = "collections/" + reader.slug_name(name)
        states[path] = [random_small_file(draw, name) for _ in range(2)]
        for copy, (data, modified) in zip(copies, states[path]):
            write(copy, path, data)
            os.utime(os.path.join(copy, path), ns=(modified, modified))
    for path, (data, modified) in carried(copies[0]).items():
        write(copies[2], path, data)
        os.utime(os.path.join(copies[2], path), ns=(modified, modified))
    program.run(copies[0], "merge", copies[1])
    program.run(copies[1], "merge", copies[2])
    merged = [carried(copy) for copy in copies[:2]]
    for path, (one, two) in states.items():
        data, modified, _ = smallfile.join(smallfile.State(*one), smallfile.State(*two))
        for found, own in zip(merged, (one, two)):
            tally.equal("%s of %s and %s" % (path, one, two), data, found[path][0])
            if data != own[0]:
                tally.equal("the time of %s of %s and %s" % (path, one, two), modified, found[path][1])


def environment(folder):
    """§ D1, § 4: the caller's own files are neither read nor written."""
    result = {"PATH": os.environ.get("PATH", ""), "TZ": "UTC", "LANG": "C.UTF-8", "SBFS_OFFLINE": "1", "SBFS_NO_SWEEP": "1",
              "SBFS_LIBRARY": os.path.join(folder, "none"), "HOME": os.path.join(folder, "home")}
    for name in ("CONFIG", "DATA", "CACHE", "STATE"):
        result["XDG_%s_HOME" % name] = os.path.join(folder, "home", name.lower())
    os.mkdir(result["HOME"])
    os.environ.update(result)
    time.tzset()
    return result


def main(arguments):
    above = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--sbfs", required=True, metavar="PATH")
    options.add_argument("--format", default=os.path.join(above, "FORMAT.md"), metavar="FORMAT.md")
    options = options.parse_args(arguments)
    specification, tally = Specification(options.format), Tally()
    with tempfile.TemporaryDirectory() as folder:
        program = Program(options.sbfs, environment(folder))
        annex_a(tally, program, specification, folder)
        annex_b(tally, specification)
        made_by_writer(tally, program, folder)
        made_by_sbfs(tally, program, specification, folder)
        in_turns(tally, program, folder)
        same_changes(tally, program, folder)
        against_editors(tally, program, folder)
        recovered(tally, program, folder)
        malformed(tally, program, folder)
        library_files(tally, program, folder)
        exchanged(tally, program, folder)
        small_files(tally, program, options.format, folder)
    return tally.report()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

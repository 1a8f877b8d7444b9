"""Edits of an item's document, by sbfs and by the programs that people have."""
import os
import re
import time

from edits import Edit

DOCUMENTS = re.compile(r"D\d{4}x")
KINDS = "doc-attach doc-attach doc-save doc-save doc-copy doc-rename doc-detach".split()
NAMES = ["plan.txt", "notes.txt"]


def read(path):
    with open(path, errors="replace") as file:
        return file.read()


def live(folder, fields):
    """The path of the document that a person opens: the one that item.json names, or the only one."""
    document = os.path.join(folder, "document")
    names = [name for name in sorted(os.listdir(document)) if "conflict-" not in name] if os.path.isdir(document) else []
    named = os.path.basename(str(fields.get("documentRelativePath", "")))
    if named in names:
        return os.path.join(document, named)
    return os.path.join(document, names[0]) if len(names) == 1 else None


def tokens(path):
    return DOCUMENTS.findall(read(path)) if path else []


def change(world, copy, kind, item):
    """One edit of the document; None if there is none to edit, or sbfs refuses."""
    pick = world.random
    if kind in ("doc-attach", "doc-detach"):
        # The command joins what waits first: the person sees what it replaces.
        copy.settle()
    folder, fields = copy.items()[item], copy.fields(item)
    path = live(folder, fields)
    if kind == "doc-attach":
        edit = Edit(kind, item, world.token("D"), tokens(path))
        source = os.path.join(world.top, pick.choice(NAMES))
        write(source, edit.token, pick)
        return edit if copy.succeeds("attach", item, source, *(["--replace", "--yes"] if path else [])) else None
    if not path:
        return None
    if kind == "doc-detach":
        edit = Edit(kind, item, removed=tokens(path))
        return edit if copy.succeeds("detach", item, "document", "--yes") else None
    if kind == "doc-rename":
        free = [name for name in NAMES if not os.path.exists(os.path.join(folder, "document", name))]
        if not free:
            return None
        os.rename(path, os.path.join(folder, "document", free[0]))
        return Edit(kind, item)
    edit = Edit(kind, item, world.token("D"), tokens(path))
    # A program writes into the old file, or puts a new one in its place.
    is_new = pick.random() < 0.5
    written = os.path.join(folder, "document", ".edit.tmp") if is_new else path
    before = os.stat(path).st_mtime_ns
    write(written, edit.token, pick)
    if kind == "doc-copy":
        # The times of a file elsewhere. rsync brings no file that is older than the one there.
        now = time.time_ns()
        saved = min(now, max(before + 5_000_000, now - pick.randint(0, 3_000_000_000)))
        os.utime(written, ns=(saved, saved))
    if is_new:
        os.rename(written, path)
    return edit


def write(path, token, pick):
    with open(path, "w") as file:
        file.write(token + " words" * pick.randint(1, 30) + "\n")

"""Copies of one library, edited by sbfs or as an editor saves, and what each edit wrote."""
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
import time

import documents
from edits import Edit

TITLES, PARAGRAPHS, KEYS = re.compile(r"T\d{4}x"), re.compile(r"P\d{4}x"), re.compile(r"K\d{4}x")
# Tag and key trashedAt mark the trash together.
TRASH = "trashcan"
EDITS = ("title title para-add para-change para-change para-delete tag-add tag-add tag-remove key trash restore resolve resolve new collection").split()


# The key of the collection that each copy changes. Of two values of one key the later one stands; so each has its own.
COLLECTION, COLLECTION_KEYS = "Work", {"a": "icon", "b": "colour", "c": "order", "d": "x-note"}


class Failure(Exception):
    """The program did what it must never do, such as ending by a signal."""


class Copy:
    """One copy of the library on a device of its own."""

    def __init__(self, world, name, days):
        self.world, self.name, self.days = world, name, days
        self.path = os.path.join(world.top, name)
        home = os.path.join(world.top, name + ".home")
        os.makedirs(home)
        os.mkdir(self.path)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": home, "XDG_STATE_HOME": home + "/state", "XDG_CACHE_HOME": home + "/cache",
            "XDG_CONFIG_HOME": home + "/config", "XDG_RUNTIME_DIR": home, "SBFS_OFFLINE": "1", "SBFS_LIBRARY": self.path,
            "LANG": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": name, "GIT_AUTHOR_EMAIL": name + "@example.org",
            "GIT_COMMITTER_NAME": name, "GIT_COMMITTER_EMAIL": name + "@example.org"}
        # Edits of this copy that no sbfs has seen so far.
        self.unseen = []

    def run(self, *words, input=None, exits=(0,), **more):
        """Runs sbfs. Ends the script if it ends by a signal, or with an exit code that was not expected."""
        return self.ended(words, exits, input, more).stdout.decode(errors="replace")

    def succeeds(self, *words):
        """Whether a command of sbfs that may refuse its work did it."""
        return self.ended(words, range(128)).returncode == 0

    def ended(self, words, exits, input=None, more={}):
        clock = ["faketime", "-f", "%+dd" % self.days] if self.days else []
        run = subprocess.run(
            clock + [self.world.sbfs, *words], cwd=self.path, env=dict(self.environment, **more), input=(input or "").encode(),
            capture_output=True, timeout=120)
        if run.returncode not in exits:
            raise Failure("%s: sbfs %s ended with %d: %s" % (
                self.name, " ".join(words)[:80], run.returncode, run.stderr.decode(errors="replace")[-300:]))
        return run

    def settle(self):
        """A command that takes in what other programs changed."""
        seen = [edit for edit in self.unseen if self.has(edit)]
        self.run(*self.world.settle, exits=(0, 3, 4))
        self.world.trace("%s looks" % self.name, [self])
        for edit in seen:
            edit.is_seen = True
        self.unseen = []

    def has(self, edit):
        """Whether an edit is still in the files of its item: a carrier may have overwritten it since."""
        folder, words = self.items().get(edit.item), ""
        names = ["item.json", "text.md"]
        if folder and os.path.isdir(os.path.join(folder, "document")):
            names += ["document/" + name for name in os.listdir(os.path.join(folder, "document"))]
        for name in names if folder else ():
            if os.path.exists(os.path.join(folder, name)):
                with open(os.path.join(folder, name), errors="replace") as file:
                    words += file.read()
        return edit.token in words if edit.token else not any(token in words for token in edit.removed)

    def items(self):
        """The folder of each item, by its id."""
        found, top = {}, os.path.join(self.path, "items")
        for shard in sorted(os.listdir(top)) if os.path.isdir(top) else []:
            for name in sorted(os.listdir(os.path.join(top, shard))):
                folder = os.path.join(top, shard, name)
                if os.path.isfile(os.path.join(folder, "item.json")):
                    found[name] = folder
        return found

    def fields(self, item):
        """What item.json says; nothing if it does not parse."""
        try:
            with open(self.items()[item] + "/item.json") as file:
                return json.load(file)
        except ValueError:
            return {}

    def collection(self):
        """The path of the collection's file; None if it is not here yet."""
        folder = os.path.join(self.path, "collections")
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            if name.startswith(COLLECTION.lower() + "-") and name.endswith(".json"):
                return os.path.join(folder, name)
        return None

    def files(self):
        """The bytes of each file, by its path, without what belongs to this device."""
        found = {}
        for folder, folders, names in os.walk(self.path):
            folders[:] = sorted(name for name in folders if name not in (".sbfs", ".git", ".stfolder"))
            for name in names:
                if name == ".stignore":
                    continue
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    found[os.path.relpath(path, self.path)] = file.read()
        return found


class World:
    def __init__(self, options, seed):
        self.random = random.Random(seed)
        self.options, self.sbfs, self.settle = options, options.sbfs, options.settle.split()
        self.top = tempfile.mkdtemp(prefix="replicas-", dir=options.scratch)
        # Whether everybody only meets: nobody edits any more.
        self.is_ending = False
        self.edits, self.count, self.clock = [], 0, int(time.time()) - 400_000
        # The value of each key of the collection.
        self.collection = {}
        days = [0, 3, -5, 40] if options.clocks else [0] * 4
        self.copies = [Copy(self, name, days[place]) for place, name in enumerate("abcd"[:options.copies])]

    def remove(self):
        shutil.rmtree(self.top)

    def trace(self, step, copies):
        """Tells of a step. Run with --trace, a script prints it."""

    def meet(self, carrier, a, b):
        carrier.sync(a, b)
        self.trace("%s and %s meet" % (a.name, b.name), [a, b])

    def token(self, kind):
        self.count += 1
        return "%s%04dx" % (kind, self.count)

    # Edits

    def edit(self, copy):
        """Makes a random edit on a copy, by sbfs or as an editor does."""
        items = copy.items()
        kind = self.random.choice(EDITS + (documents.KINDS if self.options.documents else []))
        if kind == "collection":
            return self.change_collection(copy)
        if kind == "new" or not items:
            return self.make(copy)
        if kind == "resolve":
            items = {item: folder for item, folder in items.items() if self.conflicts(folder)}
            if not items:
                return
        item = self.random.choice(sorted(items))
        folder = items[item]
        try:
            with open(folder + "/item.json") as file:
                fields = json.load(file)
        except ValueError:
            return
        text = ""
        if os.path.exists(folder + "/text.md"):
            with open(folder + "/text.md") as file:
                text = file.read()
        is_of_document = kind in documents.KINDS
        edit = documents.change(self, copy, kind, item) if is_of_document else self.change(kind, item, fields, text, copy)
        if edit is None:
            return
        self.edits.append(edit)
        self.trace("%s: %s of %s, new %s, replaced %s, removed %s" % (
            copy.name, kind, item[-4:], edit.token, edit.replaced, edit.removed), [copy])
        if self.options.editors or is_of_document:
            edit.is_seen = False
            copy.unseen.append(edit)
            if self.random.random() >= self.options.unseen:
                copy.settle()

    def make(self, copy):
        title, words = self.token("T"), self.token("P")
        item = copy.run("add", "-", "--title", title, input=words + " first words\n").split()[0]
        item = next(name for name in copy.items() if name.startswith(item))
        self.edits += [Edit("title", item, title), Edit("para-add", item, words)]

    def change(self, kind, item, fields, text, copy):
        paragraphs = [part.strip() for part in text.split("\n\n") if part.strip()]
        tags = [tag for tag in fields.get("tags", []) if isinstance(tag, str)]
        pick = self.random
        if kind == "title":
            edit = Edit(kind, item, self.token("T"), TITLES.findall(str(fields.get("title", ""))))
            self.write(copy, item, dict(fields, title=edit.token), ["set", item, "title=" + edit.token])
        elif kind == "para-add":
            edit = Edit(kind, item, self.token("P"))
            paragraphs.insert(pick.randint(0, len(paragraphs)), edit.token + " some words of a paragraph")
            self.write_text(copy, item, paragraphs)
        elif kind == "para-change" and paragraphs:
            place = pick.randrange(len(paragraphs))
            edit = Edit(kind, item, self.token("P"), PARAGRAPHS.findall(paragraphs[place]))
            paragraphs[place] = edit.token + " other words"
            self.write_text(copy, item, paragraphs)
        elif kind == "para-delete" and len(paragraphs) > 1:
            edit = Edit(kind, item, removed=PARAGRAPHS.findall(paragraphs.pop(pick.randrange(len(paragraphs)))))
            self.write_text(copy, item, paragraphs)
        elif kind == "tag-add":
            edit = Edit(kind, item, self.token("G"))
            self.write(copy, item, dict(fields, tags=tags + [edit.token]), ["tag", "add", item, edit.token])
        elif kind == "tag-remove" and set(tags) - {TRASH}:
            tag = pick.choice([tag for tag in tags if tag != TRASH])
            edit = Edit(kind, item, removed=[tag])
            self.write(copy, item, dict(fields, tags=[other for other in tags if other != tag]), ["tag", "rm", item, tag])
        elif kind == "key":
            key = "x-" + pick.choice("pqr")
            edit = Edit(kind, item, self.token("K"), KEYS.findall(str(fields.get(key, ""))))
            self.write(copy, item, dict(fields, **{key: edit.token}), None)
        elif kind == "resolve":
            return self.resolve(copy, item)
        elif kind in ("trash", "restore") and (kind == "restore") == ("trashedAt" in fields):
            edit = Edit(kind, item)
            changed = {key: value for key, value in fields.items() if key != "trashedAt"}
            changed["tags"] = [tag for tag in tags if tag != TRASH]
            if kind == "trash":
                changed["trashedAt"] = "2026-01-02T00:00:00Z"
                changed["tags"].append(TRASH)
            self.write(copy, item, changed, [kind, item])
        else:
            return None
        return edit

    def change_collection(self, copy):
        """Sets the copy's key of the collection, by the command, or as an editor does and with a look at once."""
        self.count += 1
        key = COLLECTION_KEYS[copy.name]
        # rsync takes two files of one second and one size for the same.
        value = {"icon": "C" * (self.count % 40 + 1), "colour": "#%06x" % self.count, "order": 10 ** (self.count % 9) + self.count}.get(
            key, "note %d" % self.count)
        self.trace("%s: %s of the collection is %s" % (copy.name, key, value), [copy])
        path = copy.collection()
        if not path:
            return
        if self.options.editors or key == "x-note":
            with open(path) as file:
                fields = dict(json.load(file), **{key: value})
            self.save(copy, path, json.dumps(fields, indent=2, ensure_ascii=False) + "\n")
            copy.settle()
        else:
            copy.run("collection", key, COLLECTION, str(value))
        self.collection[key] = value

    @staticmethod
    def conflicts(folder):
        """The conflicts of an item whose values are texts."""
        folder, found = os.path.join(folder, "conflicts"), []
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            if re.fullmatch(r"[0-9a-f]{16}\.json", name):
                with open(os.path.join(folder, name)) as file:
                    found.append(json.load(file))
        return [conflict for conflict in found if all(isinstance(value, str) for value in conflict["values"])]

    def resolve(self, copy, item):
        """Takes one value of a conflict that a join kept; an editor's copy has the same command."""
        # The command joins what waits first: the person sees these conflicts.
        copy.settle()
        found = self.conflicts(copy.items()[item])
        if not found:
            return None
        conflict = self.random.choice(found)
        place = self.random.randrange(len(conflict["values"]))
        # The field may have another value since.
        with open(copy.items()[item] + "/item.json") as file:
            present = str(json.load(file).get(conflict["field"], ""))
        # Of a field with two conflicts, the command takes none.
        if not copy.succeeds("resolve", item, conflict["field"], "--take", str(place + 1)):
            return None
        tokens = [set(TITLES.findall(value) + PARAGRAPHS.findall(value) + KEYS.findall(value))
                  for value in conflict["values"] + [present]]
        return Edit("resolve", item, replaced=set().union(*tokens) - tokens[place])

    def write(self, copy, item, fields, words):
        """Writes item.json: by the command, by sbfs edit where there is none, or as an editor."""
        if not self.options.editors and words:
            copy.run(*words)
        elif not self.options.editors:
            self.by_editor_of(copy, item, json.dumps(fields, indent=2, ensure_ascii=False) + "\n")
        else:
            if self.random.random() < 0.5:
                now = self.clock + copy.days * 86400
                fields = dict(fields, updatedAt=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now + 1)))
            self.save(copy, copy.items()[item] + "/item.json", json.dumps(fields, indent=2, ensure_ascii=False) + "\n")

    def write_text(self, copy, item, paragraphs):
        text = "\n\n".join(paragraphs) + "\n" if paragraphs else ""
        if self.options.editors:
            self.save(copy, copy.items()[item] + "/text.md", text)
        else:
            self.by_editor_of(copy, item, text, "--text")

    def by_editor_of(self, copy, item, text, *more):
        """sbfs edit with an editor that writes the text."""
        path = os.path.join(self.top, "wanted")
        with open(path, "w") as file:
            file.write(text)
        copy.run("edit", item, *more, VISUAL="cp " + path, EDITOR="cp " + path)

    def save(self, copy, path, text):
        """As vim saves: a new file that takes the place of the old one."""
        self.clock += self.random.randint(1, 5)
        new = os.path.join(os.path.dirname(path), ".edit.tmp")
        with open(new, "w") as file:
            file.write(text)
        if self.options.clocks:
            os.utime(new, (self.clock + copy.days * 86400,) * 2)
        os.rename(new, path)

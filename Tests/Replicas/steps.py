"""Prints each step of a script, and what it made of each item: what is live, and new versions with their parents."""
import glob
import hashlib
import json
import os

from world import PARAGRAPHS


def digest(fields, text):
    """What the words of a script are in: title, tags, keys and paragraphs."""
    keys = " ".join("%s=%s" % (key, fields[key]) for key in sorted(fields) if key.startswith("x-") or key == "trashedAt")
    return "%s tags=%s %s %s [%s]" % (
        fields.get("title"), ",".join(map(str, fields.get("tags", []))), keys, str(fields.get("updatedAt"))[11:],
        " | ".join(PARAGRAPHS.findall(text)))


def read(path):
    try:
        with open(path, errors="replace") as file:
            return file.read()
    except FileNotFoundError:
        return ""


class Trace:
    def __init__(self):
        self.versions, self.lines = set(), {}
        # The name and the words of each document, by its hash.
        self.documents = {}

    def show(self, step, copies):
        """Prints a step, and what is new of the items of some copies."""
        print(step)
        for copy in copies:
            for item, folder in copy.items().items():
                for line in self.news(copy, item, folder):
                    print("  " + line)

    def news(self, copy, item, folder):
        try:
            fields = json.loads(read(folder + "/item.json"))
        except ValueError:
            fields = {"title": "(no JSON)"}
        others = sorted(name for name in os.listdir(folder) if "conflict" in name)
        line = "%s %s %s %s %s" % (
            copy.name, item[-4:], digest(fields, read(folder + "/text.md")), self.live(folder, fields), " ".join(others))
        if self.lines.get((copy, item)) != line:
            self.lines[copy, item] = line
            yield line
        for path in sorted(glob.glob(folder + "/history/*.json"), key=os.path.getmtime):
            name = os.path.basename(path)[:6]
            if (copy, item, name) in self.versions:
                continue
            self.versions.add((copy, item, name))
            version = json.loads(read(path))
            text = read("%s/history/%s.md" % (folder, version.get("text")))
            files = " ".join("%s:%s" % (file["path"].split("/")[-1], self.documents.get(file["sha256"], file["sha256"][:8]))
                             for file in version.get("files", []) if file["path"].startswith("document/"))
            yield "    + %s <- %s %s %s%s" % (
                name, ",".join(parent[:6] for parent in version["parents"]), digest(version["item"], text), files,
                " ends a conflict" if version.get("resolved") else "")

    def live(self, folder, fields):
        """The name and the words of each file in document/, with the inode's number, time of change and of the bytes."""
        found = []
        for path in sorted(glob.glob(folder + "/document/*")):
            status, words = os.stat(path), read(path)
            self.documents[hashlib.sha256(words.encode()).hexdigest()] = words.split(" ")[0]
            found.append("%s:%s@%d/%.3f" % (os.path.basename(path), words.split(" ")[0], status.st_ino % 1000, status.st_mtime % 1000))
        named = os.path.basename(str(fields.get("documentRelativePath", "")))
        return "doc=%s %s" % (named, " ".join(found)) if named or found else ""

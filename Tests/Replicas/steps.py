"""Prints each step of a script, and what it made of each item: what is live, and new versions with their parents."""
import glob
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
        line = "%s %s %s %s" % (copy.name, item[-4:], digest(fields, read(folder + "/text.md")), " ".join(others))
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
            yield "    + %s <- %s %s%s" % (
                name, ",".join(parent[:6] for parent in version["parents"]), digest(version["item"], text),
                " ends a conflict" if version.get("resolved") else "")

"""Where the files of one item, or of one small file, are in a replica."""

import canonical
import versions
from content import DOCUMENT, PAGE


class Thing:
    def __init__(self, name, folder, item, small):
        self.name, self.folder, self.small = name, folder, small
        self.paths = {"item": folder + item}
        if not small:
            self.paths |= {"text": folder + "text.md", "page": folder + PAGE, "document": folder + DOCUMENT}
        self.history, self.conflicts = folder + "history/", folder + "conflicts/"
        self.tombstones = "tombstones/%s." % name

    def owns(self, path):
        return path.startswith(self.folder)

    def graph(self, disk, waited, cache):
        """The graph of the versions on a disk."""
        found, texts, forced = {}, {}, frozenset(waited)
        for path in disk.below(self.history):
            name, _, kind = path[len(self.history):].rpartition(".")
            data = disk.files[path].data
            if kind == "json":
                version = versions.decode(name, data)
                if version:
                    found[name] = version
            elif kind == "md" and canonical.sha(data) == name:
                texts[name] = data
        gone = self.listed(disk)["versions"]
        key = self.name, frozenset(found), frozenset(texts), gone, forced
        if key not in cache:
            cache[key] = versions.Graph(found, texts, gone, forced)
        return cache[key]

    def ended(self, disk):
        """The conflicts that versions on a disk ended: paths relative to the item's folder."""
        found = set()
        for path in disk.below(self.history):
            name, _, kind = path[len(self.history):].rpartition(".")
            version = versions.decode(name, disk.files[path].data) if kind == "json" else None
            found.update(version.resolved if version else ())
        return found

    def restore(self, disk, had, graph, now):
        """Somebody deleted parts of history/: what the versions here come from is put back, as far as it was here."""
        lacking = [name for version in graph.versions.values() for name in (*version.parents, version.name)]
        done = set()
        while lacking:
            name = lacking.pop()
            data = had.get(name + ".json")
            if name in done or data is None:
                continue
            done.add(name)
            version = versions.decode(name, data)
            for file in (name + ".json", "%s.md" % version.text):
                if file in had and self.history + file not in disk.files:
                    disk.write(self.history + file, had[file], now)
            lacking += version.parents

    def listed(self, disk):
        """What the tombstones of this item list, united."""
        result = {"files": set(), "versions": set()}
        for path in disk.below(self.tombstones):
            value = canonical.decode(disk.files[path].data) or {}
            for kind, names in result.items():
                names.update(value.get(kind, []))
        return {kind: frozenset(names) for kind, names in result.items()}

    def note(self, disk, content, parents, now, resolved=(), salt=None, edited=False):
        """Writes a version, unless it is there; its name."""
        name, data = versions.encode(content, parents, resolved, salt, edited)
        if content.text is not None:
            path = "%s%s.md" % (self.history, canonical.sha(content.text))
            if path not in disk.files:
                disk.write(path, content.text, now)
        path = "%s%s.json" % (self.history, name)
        if path not in disk.files:
            disk.write(path, data, now)
        return name


ITEM = Thing("item-1", "items/1/", "item.json", False)
SMALL = Thing("work", "collections/", "work.json", True)
THINGS = (ITEM, SMALL)

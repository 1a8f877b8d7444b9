"""Where the files of one item, or of one small file, are in a replica."""

import canonical
import switches
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
        found, texts, stubs, forced = {}, {}, {}, frozenset(waited)
        for path in disk.below(self.history):
            name, _, kind = path[len(self.history):].rpartition(".")
            data = disk.files[path].data
            if name.endswith(".gone"):
                stubs[name[:-5]] = tuple(canonical.decode(data)["parents"])
            elif kind == "json":
                version = versions.decode(name, data)
                if version:
                    found[name] = version
            elif kind == "md" and canonical.sha(data) == name:
                texts[name] = data
        gone = {name: () for name in self.listed(disk)["versions"]} | stubs
        forced |= frozenset(stubs)
        key = self.name, frozenset(found), frozenset(texts), frozenset(gone.items()), forced
        if key not in cache:
            cache[key] = versions.Graph(found, texts, gone, forced)
        return cache[key]

    def write_stubs(self, disk, had, graph, now):
        """Versions that were whole here and are not any more: what they came from, so that no device waits for them."""
        named = {parent for version in graph.versions.values() for parent in version.parents}
        lacking = [name for name in (*sorted(named), *graph.versions) if name in had and name not in graph.node_of]
        written, listed = set(), self.listed(disk)["versions"]
        while lacking:
            name = lacking.pop()
            if name in written or name in listed:
                continue
            written.add(name)
            path = "%s%s.gone.json" % (self.history, name)
            if path not in disk.files:
                disk.write(path, canonical.encode({"parents": list(had[name])}), now)
            lacking += [parent for parent in had[name] if parent in had and parent not in graph.versions]

    def listed(self, disk):
        """What the tombstones of this item list, united."""
        result = {"files": set(), "versions": set()}
        for path in disk.below(self.tombstones):
            value = canonical.decode(disk.files[path].data) or {}
            for kind, names in result.items():
                names.update(value.get(kind, []))
        return {kind: frozenset(names) for kind, names in result.items()}

    def note(self, disk, content, parents, now, graph, resolved=(), salt=None):
        """Writes a version, unless it is there; its name."""
        own = False
        if switches.on("own-text"):
            nodes = [graph.node(name) for name in parents]
            own = any("trashedAt" in node.content.fields for node in nodes if node)
        name, data = versions.encode(content, parents, resolved, own, salt)
        if content.text is not None and not own:
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

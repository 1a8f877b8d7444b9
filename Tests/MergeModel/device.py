"""One replica with its sbfs: what sweeps and commands share."""

import canonical
import switches
from content import COMPONENTS, DOCUMENT, Content
from disk import Disk
from memory import VERSION_WAIT, Memory
from sweep import AS_WRITTEN, Sweep
from thing import THINGS


class Device:
    def __init__(self, name, world):
        self.name, self.world, self.offset = name, world, 0
        self.disk = Disk()
        self.memory = {thing.name: Memory() for thing in THINGS}
        self.shown = []             # the files as the last command found them after its sweep
        self.work_tree = False      # a git work tree: nothing tells arrivals from local writes

    @property
    def now(self):
        return self.world.time + self.offset

    def forget(self):
        """.sbfs was deleted."""
        self.memory = {thing.name: Memory() for thing in THINGS}

    def sweep(self):
        for thing in THINGS:
            Sweep(self, thing).run()

    def graph(self, thing):
        memory = self.memory[thing.name]
        waited = {key[1] for key in memory.waits if key[0] == "version" and memory.is_over(key, self.now, VERSION_WAIT)}
        return thing.graph(self.disk, waited, self.world.graphs)

    def live(self, thing):
        """The live bytes of each component; of pages and documents their hashes."""
        found = {}
        for component in COMPONENTS:
            data = self.disk.read(thing.paths[component]) if component in thing.paths else None
            found[component] = canonical.sha(data) if data is not None and component in ("page", "document") else data
        return found

    def note(self, thing, content, names, resolved=(), edited=True):
        self.world.saw(content)
        salt = None if switches.on("same-name") else "%s %d" % (self.name, self.now)
        return thing.note(self.disk, content, names, self.now, resolved, salt, edited)

    def note_root(self, thing):
        """Notes the last known state of an item without history; its name."""
        memory = self.memory[thing.name]
        if memory.content is None or not switches.on("root"):
            return None
        return self.note(thing, memory.content, (), edited=memory.edited)

    def is_edited(self, thing):
        """Whether a program may have changed the files since updatedAt: a root of them says so. (A program leaves a changed document
        out of the first version.)"""
        content = Content(**self.live(thing))
        created = min(content.fields.get("createdAt", 0), content.updated)
        for component, path in thing.paths.items():
            file = self.disk.files.get(path)
            first = created if component == "text" else content.updated
            if file and not first - AS_WRITTEN <= file.mtime <= content.updated + AS_WRITTEN:
                return True
        return False

    def put(self, thing, component, value, mtime):
        """Writes one component where it differs. Of a page or document, value is a hash: False where the bytes are not here."""
        path = thing.paths.get(component)
        if path is None or value is None:
            return True
        if component in ("page", "document"):
            data = self.bytes_of(thing, value)
            if data is None:
                return False
            value = data
        old = self.disk.files.get(path)
        if old is None or old.data != value:
            self.disk.write(path, value, self.now, max(mtime, old.mtime + 1) if old else mtime)
        return True

    def bytes_of(self, thing, digest):
        """The bytes of a page or document, from what is live, kept, or lies beside as a conflict."""
        kept = self.memory[thing.name].kept
        if digest in kept and switches.on("kept-files"):
            return kept[digest]
        for path in self.disk.below(thing.folder):
            if not path.startswith(thing.history) and canonical.sha(self.disk.files[path].data) == digest:
                return self.disk.files[path].data
        return None

    def keep(self, thing, content):
        memory = self.memory[thing.name]
        found = {digest: self.bytes_of(thing, digest) for digest in
                 {content.page, content.document, *(digest for _, digest in memory.wanted)} if digest}
        memory.kept = {digest: data for digest, data in found.items() if data is not None}

    def link_history(self, thing):
        """Keeps what is in history/: links to files that never change."""
        had = self.memory[thing.name].had
        for path in self.disk.below(thing.history):
            had[path[len(thing.history):]] = self.disk.files[path].data

    def lay_losers(self, thing):
        """Puts a losing document beside the winner, and a losing page among the snapshots, where the bytes are here."""
        memory = self.memory[thing.name]
        for unit, digest in sorted(memory.wanted):
            path = loser_path(thing, unit, digest)
            data = self.bytes_of(thing, digest)
            if path in self.disk.files:
                memory.wanted.discard((unit, digest))
            elif data is not None:
                self.disk.write(path, data, self.now)
                memory.wanted.discard((unit, digest))


def loser_path(thing, unit, digest):
    if unit == "document":
        stem, _, extension = DOCUMENT.rpartition(".")
        return "%s%s.conflict-%s.%s" % (thing.folder, stem, digest[:8], extension)
    return "%ssnapshots/%s/page.html" % (thing.folder, digest[:8])

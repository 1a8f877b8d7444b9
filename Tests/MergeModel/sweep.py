"""A sweep: what changed, what it came from, and what the versions join to (rules 3, 5, 12, 14 and 16)."""

import canonical
import parents
import switches
from content import COMPONENTS, Content
from memory import VERSION_WAIT, Memory

AS_WRITTEN = 500      # milliseconds between updatedAt and the mtime of files that a command wrote
LOCAL = 50      # milliseconds between mtime and ctime of a file that was written here


def digest_of(value):
    return canonical.sha(value) if isinstance(value, bytes) else value


class Sweep:
    """Compares the files of one thing with what the device knows, notes what is new, and joins what met."""

    def __init__(self, device, thing):
        self.device, self.thing, self.disk = device, thing, device.disk
        self.memory = device.memory[thing.name]
        self.arrived = {}      # parent -> components that are noted together
        self.set_aside = {}    # component -> what a tool put aside before the file was saved

    def run(self):
        live = self.device.live(self.thing)
        if live["item"] is not None and canonical.decode(live["item"]) is None:
            return      # it does not parse: the last state stays known, the file is left alone
        if self._purged(live):
            return
        live = self.device.live(self.thing)
        graph = self.device.graph(self.thing)
        if live["item"] is None and not self._comes_back(live, graph):
            return
        if self.memory.content is None:
            if not graph.versions:
                if live["item"] is not None:
                    self.device.world.saw(Content(**live))
                    self.memory.content = Content(**live)
                    self.memory.edited = self.device.is_edited(self.thing)
                    self.device.keep(self.thing, self.memory.content)
                return
        self._restore_version(graph)
        if switches.on("restore"):
            self.thing.restore(self.disk, self.memory.had, self.device.graph(self.thing), self.device.now)
        self._wait_for_versions(self.device.graph(self.thing))
        self._absorb_copies()
        self._observe(live)
        self._settle(live)
        live = self.device.live(self.thing)
        memory = self.memory
        memory.note_change(self.disk, self.thing)
        memory.showing = {c: v for c, v in live.items() if memory.content and v is not None and v != getattr(memory.content, c)}

    # --- purged items

    def _purged(self, live):
        listed = self.thing.listed(self.disk)
        if not listed["versions"] and not listed["files"]:
            return False
        graph = self.device.graph(self.thing)
        if switches.on("tombstone-lists"):
            covered = self._covered(graph, listed["versions"])
            if any(name not in covered for name in graph.versions) or self.memory.aside:
                return False
            known = set(listed["files"])
            for name in covered & set(graph.versions):
                version = graph.versions[name]
                known |= {canonical.sha(version.item), version.text, version.page, version.document}
            for component, value in live.items():
                digest = value if component in ("page", "document") or value is None else canonical.sha(value)
                if digest is not None and digest not in known:
                    return False
        for path in self.disk.below(self.thing.folder):
            self.disk.remove(path)
        self.device.memory[self.thing.name] = Memory()
        return True

    def _covered(self, graph, listed):
        """What a purge saw: what its tombstone lists, and merges of nothing else."""
        covered = set(listed)
        for name in sorted(graph.nodes, key=lambda name: len(graph.nodes[name].ancestors)):
            version = graph.versions[name]
            if name not in covered and len(version.parents) > 1 and covered.issuperset(version.parents):
                joined = graph.join_parents(version)
                if joined and joined[0].content == graph.content(version):
                    covered.add(name)
        return covered

    def _comes_back(self, live, graph):
        """item.json is absent. The versions, or an edit of another file, bring it back where a purge took it; else it may
        not be here yet."""
        listed = self.thing.listed(self.disk)
        if listed["versions"] and (graph.heads or any(live.values())):
            return bool(graph.heads) or self.memory.content is not None
        return bool(graph.heads) and self.memory.waited(("absent",), self.device.now)

    # --- what is new

    def _restore_version(self, graph):
        """Somebody deleted history/: the version of the last state known here comes back under its name, and its text."""
        memory = self.memory
        live = self.disk.read(self.thing.paths.get("text", ""))
        if live is not None and canonical.sha(live) not in graph.texts and \
                any(version.text == canonical.sha(live) for version in graph.versions.values()):
            self.disk.write("%s%s.md" % (self.thing.history, canonical.sha(live)), live, self.device.now)
        if memory.at is None or not switches.on("restore"):
            return
        for file in (memory.at + ".json", "%s.md" % canonical.sha(memory.content.text or b"")):
            path = self.thing.history + file
            if path not in self.disk.files and file in memory.had and memory.at not in self.thing.listed(self.disk)["versions"]:
                self.disk.write(path, memory.had[file], self.device.now)

    def _wait_for_versions(self, graph):
        for name in graph.incomplete():
            self.memory.waited(("version", name), self.device.now, VERSION_WAIT)

    def _absorb_copies(self):
        """Conflict copies of copying tools (rule 16)."""
        if not switches.on("copies"):
            return
        for path in self.disk.below(self.thing.folder):
            stem, mark, _ = path.partition(".sync-conflict-")
            if not mark:
                continue
            data = self.disk.files[path].data
            if "/history/" in path or "/conflicts/" in path:
                self.disk.remove(path)      # the name is of the content, so the original is whole or comes again
                continue
            component = next((c for c, p in self.thing.paths.items() if p.rpartition(".")[0] == stem), None)
            if component is None or (component == "item" and canonical.decode(data) is None):
                continue
            if component == "text" and not data:
                self.disk.remove(path)      # a crash leaves an empty file: as a version it would remove every paragraph
                continue
            self.device.world.saw_bytes(data)
            value = canonical.sha(data) if component in ("page", "document") else data
            self.memory.times[digest_of(value)] = self.disk.files[path].mtime
            graph = self.device.graph(self.thing)
            self._note_set_aside(component, value, self.disk.files[path])
            if parents.explained(graph, component, value):
                if component in ("page", "document"):
                    self.memory.kept[value] = data
                self.disk.remove(path)
            elif self._note_arrival(component, value, True):
                if component in ("page", "document"):
                    self.memory.kept[value] = data
                self.disk.remove(path)

    def _note_set_aside(self, component, value, copy):
        """What was saved after a tool had put bytes aside does not come from them."""
        live = self.disk.files.get(self.thing.paths[component])
        if component in ("item", "text") and live and live.data != value and live.ctime > copy.ctime and switches.on("set-aside"):
            self.set_aside.setdefault(component, set()).add(value)

    def _observe(self, live):
        """Notes edits and arrivals."""
        memory = self.memory
        new, edits = memory.content is None, []
        for component in COMPONENTS:
            value = live[component]
            if value is None and self.device.work_tree and not new and getattr(memory.content, component) is not None:
                edits.append(component)      # git removes on purpose
                continue
            if value is None or (not new and value in (getattr(memory.content, component), memory.left.get(component))):
                continue
            self.device.world.saw_bytes(self.disk.read(self.thing.paths[component]))
            file = self.disk.files[self.thing.paths[component]]
            if not new and (self.device.work_tree or file.moved or abs(file.ctime - file.mtime) <= LOCAL):
                edits.append(component)
            else:
                memory.times[digest_of(value)] = file.mtime
                self._arrival(component, value)
        if edits and switches.on("note-edit"):
            self._edited(live, edits)
        for component, _, data in [key for key in memory.waits if len(key) == 3 and key[2] is not None]:
            if data != live[component] and switches.on("aside"):
                memory.set_aside(component, data)      # another copy came over it while it waited
        if not new and memory.at is None and self.device.graph(self.thing).versions:
            self._note_unknown()
        for (component, digest), data in sorted(memory.aside.items()):
            graph = self.device.graph(self.thing)
            value = digest if component in ("page", "document") else data
            if parents.explained(graph, component, value) or self._note_arrival(component, value, False):
                del memory.aside[component, digest]
                if value == digest:
                    memory.kept[digest] = data
        self._note_arrived()

    def _note_unknown(self):
        """Versions arrived for an item that had none here, and they do not know the state here: it is noted. It is an edit of
        the nearest version if it is newer than that one; else nothing says what it comes from."""
        memory, graph = self.memory, self.device.graph(self.thing)
        for component in COMPONENTS:
            value = getattr(memory.content, component)
            if value is None or parents.explained(graph, component, value):
                continue
            self.device.note(self.thing, memory.content, (), edited=memory.edited)
            return

    def _known(self):
        """The version of the last state known here, noted if it is missing."""
        memory = self.memory
        graph = self.device.graph(self.thing)
        if memory.at is not None and (memory.at in graph.versions or memory.at in graph.gone):
            return memory.at
        return self.device.note_root(self.thing)

    def _edited(self, live, edits):
        at = self._known()
        graph = self.device.graph(self.thing)
        self._note_waiting(live, edits)
        graph = self.device.graph(self.thing)
        by_parent = {}
        for component in edits:
            value = live[component]
            found = parents.explained(graph, component, value)
            if found and not self._steps_back(graph, at, found):
                continue
            parent, aside = at, self.set_aside.get(component, ())
            is_free = at and value is not None and not self.device.work_tree
            is_aside = is_free and getattr(graph.content(graph.versions[at]), component) in aside
            if is_free and found and not is_aside and parents.may_come_from_arrival(component, value, found, graph, at, aside):
                continue      # either guess may lose an edit
            if is_free and (not found or is_aside):
                came = parents.of_local(component, value, graph, at, () if found else self._older(component, graph, at), aside, found)
                if came in found:
                    continue      # what the edit was made of is not here yet
                parent = came
            if not found and value is not None:
                parent = self._of_shown(component, value, graph) or parent
            by_parent.setdefault(parent, []).append(component)
        for parent, components in by_parent.items():
            graph = self.device.graph(self.thing)
            node = graph.node(parent) if parent else None
            old = node.content if node else self.memory.content
            if node is None and parent in graph.versions and parent != at:
                old = graph.content(graph.versions[parent])
            content = old._replace(**{component: live[component] for component in components})
            if switches.on("raise-time") and "item" in components:
                content = self._raised(content, old)
            self._kept_live(components)
            self.device.note(self.thing, content, [parent] if parent else ())

    def _older(self, component, graph, at):
        """The versions that were here when a text was written, if the one that was live last is younger than it."""
        if component != "text" or self.memory.changed is None or not switches.on("draft"):
            return set()
        written = self.disk.files[self.thing.paths["text"]].mtime
        node = graph.node(at)
        if node is None or written >= self.memory.changed:
            return set()
        return {name for name in node.ancestors if self._came(graph, name) <= written}

    def _came(self, graph, name):
        """When the state of a version was made here or came here. A root is noted only when it changes."""
        if not graph.parents[name]:
            return graph.nodes[name].content.updated
        file = self.disk.files.get("%s%s.json" % (self.thing.history, name))
        return file.ctime if file else self.device.now

    def _of_shown(self, component, value, graph):
        """The version whose bytes an editor had before it, though that version waits for its parents."""
        shown = self.memory.showing.get(component)
        if shown is None or shown == value or component in ("page", "document") or not switches.on("shown"):
            return None
        names = [name for name in parents.explained(graph, component, shown)
                 if name not in graph.node_of and (graph.versions[name].text is None or graph.versions[name].text in graph.texts)]
        return min(names) if names else None

    def _raised(self, content, old):
        time = max(self.disk.files[self.thing.paths["item"]].mtime, old.updated + 1) + int(canonical.sha(content.item)[:8], 16) % 97
        return content._replace(item=canonical.encode({**content.fields, "updatedAt": time}))

    def _note_waiting(self, live, edits):
        """Bytes that waited here and were edited meanwhile are noted now: the edit may come from them."""
        for key in [key for key in self.memory.waits if key[0] in edits and len(key) == 3 and key[2] is not None]:
            component, _, data = key
            graph = self.device.graph(self.thing)
            if data != live[component] and not parents.explained(graph, component, data):
                parent, _ = parents.of_arrival(component, data, graph, self.memory.times.get(digest_of(data)))
                if parent:
                    self._note_on(parent, component, data)
            del self.memory.waits[key]

    def _steps_back(self, graph, at, found):
        """Whether earlier bytes were put back here on purpose."""
        if not switches.on("step-back"):
            return False
        if self.device.work_tree:
            return True
        if not any(graph.is_ancestor(name, at) for name in found):
            return False
        if switches.on("only-head"):
            node = graph.node(at)
            return node is not None and graph.heads == [node.name]
        return True

    def _arrival(self, component, value):
        graph = self.device.graph(self.thing)
        found = parents.explained(graph, component, value)
        if found:
            if not switches.on("stale") and self.memory.at and graph.node(self.memory.at):
                content = graph.node(self.memory.at).content._replace(**{component: value})
                self.device.note(self.thing, content, [self.memory.at])
            return
        if self.memory.content is not None and (self.memory.at is None or self.memory.at not in graph.versions):
            self._known()
        self._note_arrival(component, value, False)

    def _note_arrival(self, component, value, is_copy):
        """Notes bytes from elsewhere, once their parent is certain or they have waited. Whether they were noted."""
        graph = self.device.graph(self.thing)
        parent, certain = parents.of_arrival(
            component, value, graph, self.memory.times.get(digest_of(value)), is_copy, self.device.live(self.thing)[component])
        key = (component, canonical.sha(value) if isinstance(value, bytes) else value, value if isinstance(value, bytes) else None)
        if not certain and switches.on("waiting") and not self.memory.waited(key, self.device.now):
            return False
        self.memory.waits.pop(key, None)
        if parent is None:
            if component == "text" and is_copy:
                self.device.note(self.thing, Content(self.device.live(self.thing)["item"], value), ())
                return True
            if component != "item":
                return False
            self.device.note(self.thing, Content(value), ())
            return True
        if is_copy or component in self.arrived.get(parent, {}):
            self._note_on(parent, component, value)
        else:
            self.arrived.setdefault(parent, {})[component] = value
        return True

    def _note_arrived(self):
        """What arrived and comes from one version is one version."""
        for parent, values in self.arrived.items():
            node = self.device.graph(self.thing).node(parent)
            self._kept_live(values)
            self.device.note(self.thing, node.content._replace(**values), [parent])
        self.arrived = {}

    def _note_on(self, parent, component, value):
        node = self.device.graph(self.thing).node(parent)
        self._kept_live([component])
        return self.device.note(self.thing, node.content._replace(**{component: value}), [parent])

    def _kept_live(self, components):
        for component in components:
            if component in ("page", "document"):
                data = self.disk.read(self.thing.paths[component])
                if data is not None:
                    self.memory.kept[canonical.sha(data)] = data

    # --- joining

    def _settle(self, live):
        """Joins the heads, and makes the result live, but leaves alone what waits."""
        graph = self.device.graph(self.thing)
        joined = graph.result()
        if joined is None:
            return
        node, conflicts, losers = joined
        memory, name = self.memory, node.name
        if len(graph.heads) > 1:
            heads = [n for n in graph.versions if graph.node_of.get(n) in graph.heads]
            if not switches.on("merge-parents"):
                heads = heads[:1]
            content = node.content
            if not switches.on("merge-time"):
                content = content._replace(item=canonical.encode({**content.fields, "updatedAt": self.device.now}))
            name = self.device.note(self.thing, content, heads)
            memory.wanted |= set(losers)
            for path, data in conflicts:
                self.disk.write(self.thing.folder + path, data, self.device.now)
            graph = self.device.graph(self.thing)
            node = graph.node(name)
        self._look_for_losers(graph)
        self._resolve(graph)
        self._make_live(graph, node.content, live)
        memory.at = name
        self.device.link_history(self.thing)
        self.device.lay_losers(self.thing)
        self.device.keep(self.thing, node.content)
        self._forget_waits(graph)

    def _look_for_losers(self, graph):
        """The device that has the bytes of a loser may not be the one that merged."""
        for name in sorted(graph.nodes):
            version = graph.versions[name]
            if len(version.parents) > 1 and name not in self.memory.joined:
                self.memory.joined.add(name)
                joined = graph.join_parents(version)
                if joined and switches.on("keep-loser"):
                    self.memory.wanted |= set(joined[2])

    def _resolve(self, graph):
        if not switches.on("resolved"):
            return
        for version in graph.versions.values():
            for name in version.resolved:
                self.disk.remove(self.thing.folder + name)

    def _make_live(self, graph, content, live):
        memory = self.memory
        for component in COMPONENTS:
            value, now = getattr(content, component), live[component]
            if value == now:
                continue
            if value is None:
                if parents.explained(graph, component, now, counting=True):
                    self.disk.remove(self.thing.paths[component])
                continue
            path = self.thing.paths[component]
            if now is not None and not parents.explained(graph, component, now, counting=True):
                if parents.explained(graph, component, now):
                    continue      # it is of a version that is not whole yet
                if memory.content is not None and value == getattr(memory.content, component):
                    continue      # nothing new but what waits
                if switches.on("aside"):
                    data = self.disk.read(path)
                    memory.set_aside(component, data)
                    if component in ("page", "document"):
                        memory.kept[now] = data
            if self.device.put(self.thing, component, value, content.updated):
                memory.waits.pop(("left", component), None)
            elif now is not None:
                memory.left[component] = now
                if switches.on("make-way") and memory.waited(("left", component), self.device.now):
                    # A tool that copies it over its successor each time would never bring that one.
                    self.disk.remove(self.thing.paths[component])
        memory.content = content

    def _forget_waits(self, graph):
        for key in [key for key in self.memory.waits if len(key) == 3]:
            component, digest, data = key
            value = digest if data is None else data
            if parents.explained(graph, component, value):
                del self.memory.waits[key]
        self.memory.waits.pop(("absent",), None)

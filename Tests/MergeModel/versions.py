"""Versions: files named by their content, and the graph that they form (rules 1, 4 and 5)."""

import functools
import json
from typing import NamedTuple

import canonical
import crossed
import merge
import replaced
import switches
import times
from content import DOCUMENT, NOTHING, PAGE, Content


HEADS = 256      # so many heads are joined at once: a bound of the work, which no script reaches


class Version(NamedTuple):
    name: str
    parents: tuple
    item: bytes
    text: str | None         # SHA-256
    page: str | None
    document: str | None
    resolved: tuple
    edited: bool = False     # a root that a program may have changed since updatedAt

    @property
    def updated(self):
        return times.instant(canonical.decode(self.item).get("updatedAt")) or 0

    def key(self):
        return self.item, self.text, self.page, self.document

    def records_document(self):
        """Whether the document is the one whose hash item.json has."""
        if self.document is None:
            return False
        found = [file["sha256"] for file in json.loads(self.document)] if self.document.startswith("[") else [self.document]
        return canonical.decode(self.item).get("documentSHA256") in found


def encode(content, parents, resolved=(), salt=None, edited=False):
    """The name and bytes of a version."""
    value = {"parents": sorted(set(parents)), "item": content.fields}
    if content.text is not None:
        value["text"] = canonical.sha(content.text)
    files = [{"path": path, "sha256": digest, "size": canonical.size(digest)} for path, digest in ((DOCUMENT, content.document), (PAGE, content.page)) if digest]
    if files:
        value["files"] = files
    if resolved:
        value["resolved"] = sorted(resolved)
    if edited and not parents and switches.on("edited-root"):
        value["edited"] = True
    if salt is not None:
        value["device"] = salt
    data = canonical.encode(value)
    return canonical.sha(data), data


@functools.lru_cache(maxsize=200_000)
def decode(name, data):
    """The version in the bytes; None where they are not what the name says or no version."""
    value = canonical.decode(data)
    if value is None or canonical.sha(data) != name or not isinstance(value.get("parents"), list):
        return None
    files = {file["path"]: file["sha256"] for file in value.get("files", [])}
    return Version(name, tuple(value["parents"]), canonical.encode(value["item"]), value.get("text"),
                   files.get(PAGE), files.get(DOCUMENT), tuple(value.get("resolved", [])),
                   value.get("edited") is True and not value["parents"])


class Node(NamedTuple):
    """One state in the graph, perhaps under several names; or the result of joining some."""

    name: str
    content: Content
    ancestors: frozenset     # names of nodes, its own included

    def order(self):
        return self.content.updated, self.name


class Graph:
    """The versions that count, those of equal content as one node."""

    def __init__(self, versions, texts, gone, waited):
        self.versions, self.texts, self.gone = versions, texts, gone
        self.counting = {}
        for name in sorted(versions):
            self._counts(name, waited, set())
        self.nodes = self._nodes()
        self.memo, self.edits_left, self.crossings = {}, 0, set()

    def _counts(self, name, waited, path):
        """A version counts when its text and its parents are here, or are known to be gone, or it has waited for them."""
        if name in self.counting:
            return self.counting[name] is not None
        version = self.versions.get(name)
        if version is None or name in path:
            return False
        path.add(name)
        parents = tuple(p for p in version.parents if self._counts(p, waited, path))
        missing = [p for p in version.parents if p not in parents and p not in self.gone]
        text_here = version.text is None or version.text in self.texts
        path.discard(name)
        counts = (not missing and text_here) or name in waited
        self.counting[name] = parents if counts else None
        return counts

    def content(self, version):
        text = None
        if version.text is not None:
            text = self.texts.get(version.text)
            if text is None:      # it waited in vain: the text of a parent stands in
                parents = [p for p in self.counting.get(version.name) or () if p in self.versions]
                text = self.content(self.versions[parents[0]]).text if parents else None
        return Content(version.item, text, version.page, version.document)

    def incomplete(self):
        return [name for name in self.versions if self.counting.get(name) is None]

    def _nodes(self):
        parents = {name: set(found) for name, found in self.counting.items() if found is not None}
        self.node_of = {name: name for name in parents}
        groups = {}
        if switches.on("one-node"):
            for name in sorted(parents):
                groups.setdefault(self.versions[name].key(), []).append(name)
        for _, names in sorted(groups.items(), key=lambda group: group[1]):
            classes = []
            for name in names:
                for other in classes:
                    ancestors = self._ancestors(parents)
                    if name not in ancestors[other] and other not in ancestors[name]:
                        self._unite(parents, other, name)
                        break
                else:
                    classes.append(name)
        self._unite_unrecorded(parents)
        self._give_edited_a_parent(parents)
        self.parents = parents
        ancestors = self._ancestors(parents)
        nodes = {name: Node(name, self.content(self.versions[name]), frozenset(ancestors[name])) for name in parents}
        inner = {p for found in parents.values() for p in found}
        self.heads = sorted(name for name in nodes if name not in inner)
        return nodes

    def _unite_unrecorded(self, parents):
        """A root without a document is one node with the equal root that has the document of which item.json tells the hash."""
        roots = [name for name in sorted(parents) if not parents[name]]
        for name in roots:
            version = self.versions[name]
            if version.document is not None:
                continue
            beside = (version.item, version.text, version.page)
            others = [self.versions[other] for other in roots]
            twins = [other for other in others if other.document is not None and (other.item, other.text, other.page) == beside]
            twin = next((twin for twin in twins[:64] if twin.records_document()), None)
            if twin is not None:
                self._unite(parents, twin.name, name)

    def _give_edited_a_parent(self, parents):
        """A root that programs changed comes from the only other root with its updatedAt: editors leave that alone."""
        roots = [name for name in sorted(parents) if not parents[name]]
        others = {node for name, node in self.node_of.items() if not self.versions[name].edited}
        unchanged = {node for name, node in self.node_of.items()
                     if not self.versions[name].edited and not self.versions[name].parents}.intersection(roots)

        def time(name):
            return times.instant(canonical.decode(self.versions[name].item).get("updatedAt"))

        for name in set(roots) - others:
            found = [other for other in unchanged if time(other) == time(name) is not None]
            if len(found) == 1:
                parents[name].add(found[0])

    def _unite(self, parents, kept, gone):
        parents[kept] |= parents.pop(gone)
        for found in parents.values():
            if gone in found:
                found.discard(gone)
                found.add(kept)
        for name, node in self.node_of.items():
            if node == gone:
                self.node_of[name] = kept

    @staticmethod
    def _ancestors(parents):
        done = {}
        for start in parents:
            stack = [start]
            while stack:
                name = stack[-1]
                waiting = [p for p in parents[name] if p not in done]
                if waiting and name not in done:
                    stack.extend(waiting)
                    continue
                done[name] = {name}.union(*(done[p] for p in parents[name]))
                stack.pop()
        return done

    def node(self, name):
        """The node of a version, or None where it does not count."""
        return self.nodes.get(self.node_of.get(name))

    def is_ancestor(self, old, new):
        one, two = self.node(old), self.node(new)
        return one is not None and two is not None and one.name in two.ancestors

    # --- joining

    def result(self):
        """What the heads join to: a function of the set of versions. Node, conflicts, losers; None where nothing counts."""
        return self._join_all(self.heads[:HEADS]) if self.heads else None

    def join_parents(self, version):
        """What the parents of a merge join to, as result() gives it; None where one of them is not here."""
        nodes = [self.node(name) for name in version.parents]
        return None if None in nodes else self._join_all(sorted({node.name for node in nodes}))

    def _join_all(self, names):
        self.memo, self.edits_left, self.crossings = {}, crossed.LIMIT, set()
        node, conflicts, losers = self.nodes[names[0]], [], []
        self.has_crossed = False
        for name in names[1:]:
            other = self.nodes[name]
            key = node.name, name
            node, merged = self._join(node, other)
            self.has_crossed |= key in self.crossings
            conflicts += merged.conflicts
            losers += merged.losers
        if len(names) > 2 or self.has_crossed:
            node = node._replace(content=replaced.settled(self, names, node.content))
        return node, conflicts, losers

    def _join(self, a, b):
        key = a.name, b.name
        if key in self.memo:
            return self.memo[key]
        a_wins = a.order() > b.order()
        base, is_crossed = self._base(a, b)
        edits = crossed.NOTHING
        if is_crossed:
            self.crossings.add(key)
            edits, count = crossed.edits(self, a, b, self.edits_left)
            self.edits_left -= count
        merged = merge.merge(base, a.content, b.content, a_wins, edits, self._ended(a.ancestors | b.ancestors))
        name = canonical.sha(("%s %s" % tuple(sorted((a.name, b.name)))).encode())
        self.memo[key] = Node(name, merged.content, a.ancestors | b.ancestors), merged
        return self.memo[key]

    def ending(self):
        """The nodes of which a version ends a conflict."""
        return {node for name, node in self.node_of.items() if self.versions[name].resolved}

    def _ended(self, nodes):
        """The conflicts that versions of these nodes ended."""
        return {path for name, node in self.node_of.items() if node in nodes for path in self.versions[name].resolved}

    def _base(self, a, b):
        if not switches.on("base"):
            return NOTHING, False
        common = a.ancestors & b.ancestors
        inner = set()
        for name in common:
            inner |= self.nodes[name].ancestors - {name}
        lowest = sorted(common - inner)
        if not lowest:
            return NOTHING, False
        node = self.nodes[lowest[0]]
        for name in lowest[1:] if switches.on("virtual-base") else ():
            node, _ = self._join(node, self.nodes[name])
        return node.content, len(lowest) > 1 and switches.on("virtual-base")

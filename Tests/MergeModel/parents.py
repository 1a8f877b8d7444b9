"""Which version is the parent of bytes that no sbfs wrote (rule 3)."""

from collections import Counter

import canonical
import paragraphs
import switches


def difference(one, two):
    """How many members, tags and notes differ between two objects."""
    lists = ("tags", "annotations")
    count = sum(one.get(name) != two.get(name) for name in {**one, **two} if name not in (*lists, "updatedAt"))
    for name in lists:
        a, b = ({str(value) for value in side.get(name, [])} for side in (one, two))
        count += max(len(a - b), len(b - a))
    return count


def distance(component, data, content):
    if component == "item":
        return difference(canonical.decode(data), content.fields)
    if component == "text":
        return paragraphs.distance(data.decode(), (content.text or b"").decode())
    return 0


def word_distance(old, new):
    """How many words differ between two texts, each as often as it stands."""
    one, two = Counter(old.split()), Counter(new.split())
    return max(sum((one - two).values()), sum((two - one).values()))


def changed(old, new):
    """The changed paragraphs, before and after."""
    old, new = paragraphs.split(old), paragraphs.split(new)
    return [pair for pair in zip(old, paragraphs.Side(old, new).change) if pair[1]]


def words_of(pair):
    """The words of a changed paragraph before and after, as many as a join looks at."""
    return [tuple(paragraphs.WORD.findall(text)[:paragraphs.WORDS]) for text in pair]


def kept(pair):
    """How many words of a changed paragraph stayed, in order."""
    return len(paragraphs.matches(*words_of(pair)))


def kept_share(pair):
    return kept(pair) / max(map(len, words_of(pair)))


def steps(old, new):
    """How many steps of a person lead from one text to the other: a paragraph put in, taken out, moved or changed. One that keeps less
    than half of its words was taken out, and another one put in. And, as a number below zero, how many words stayed in the others."""
    before, after = paragraphs.split(old), paragraphs.split(new)
    side = paragraphs.Side(before, after)
    removed = sum(now == () and was not in side.moved for was, now in zip(before, side.change))
    pairs = changed(old, new)
    alike = [pair for pair in pairs if paragraphs.alike(*pair)]
    return removed + sum(map(len, side.before)) + 2 * len(pairs) - len(alike), -sum(map(kept, alike))


def retyped(old, new, every):
    """How many paragraphs of the new text the old one lacks and another one of them has: nobody writes such a one again, byte for byte."""
    known = {part for one in every for part in paragraphs.split(one)}
    return len((set(paragraphs.split(new)) & known) - set(paragraphs.split(old)))


# Of so many equally near texts, the steps are counted.
STEP_LIMIT = 16
# What the rules compare of equally near texts: the least is taken. (candidate, bytes, all candidates, last known here)
MEASURES = {
    "retyped": lambda old, new, every, here: retyped(old, new, every) if len(every) <= STEP_LIMIT else 0,
    "steps": lambda old, new, every, here: steps(old, new) if len(every) <= STEP_LIMIT else 0,
    "words": lambda old, new, every, here: word_distance(old, new),
    "words-one": lambda old, new, every, here:
        -kept_share(changed(old, new)[0]) if all(len(changed(one, new)) == 1 for one in every) else 0,
    "alike": lambda old, new, every, here: -sum(paragraphs.alike(*pair) for pair in changed(old, new)),
    "arrived": lambda old, new, every, here: old == here,
}


def equally_near(component, data, nodes):
    """The nearest of some nodes with texts, if their texts differ."""
    if component != "text":
        return []
    near = [distance(component, data, node.content) for node in nodes]
    least = [node for node, far in zip(nodes, near) if far == min(near)]
    return least if len({node.content.text for node in least}) > 1 else []


def preferred(data, nodes, here):
    """Those of equally near nodes that the rules prefer, each rule asked where the one before it does not decide."""
    def read(node):
        return (node.content.text or b"").decode() if node else None

    for rule in [rule for rule in ("retyped", "steps") if switches.on(rule)] + switches.TRIED_ON:
        if rule in MEASURES:
            every = {read(node) for node in nodes}
            found = {old: MEASURES[rule](old, data.decode(), every, read(here)) for old in every}
            nodes = [node for node in nodes if found[read(node)] == min(found.values())]
    return nodes


def explained(graph, component, value, counting=False):
    """Names of versions with these bytes of the component (a hash for pages and documents)."""
    if component == "text" and value is not None:
        value = canonical.sha(value)
    return [name for name, version in graph.versions.items()
            if getattr(version, component) == value and (not counting or name in graph.node_of)]


def nearest(component, data, nodes, first=None, here=None, by_name=None):
    """The nearest of some nodes; of equally near ones `first`, then the earliest state (a value that stays is better than a
    loss), and of several nodes with that state the latest. Of bytes that were written here, `here` is the last version known here, and
    `by_name` has all nodes."""
    nodes, began = list(nodes), {}
    for node in nodes:
        key = _state(component, node.content)
        began[key] = min(began.get(key, len(node.ancestors)), len(node.ancestors))
    tied = equally_near(component, data, nodes) if here or switches.on("arrivals") else []
    if tied:
        nodes = preferred(data, tied, here)
        common = frozenset.intersection(*(node.ancestors for node in nodes))
        if here and common and switches.on("common") and len({node.content.text for node in nodes}) > 1:
            return max((by_name[name] for name in common), key=lambda node: (len(node.ancestors), node.name))
    return min(nodes, key=lambda node: (distance(component, data, node.content), node.name != first,
                                        began[_state(component, node.content)], -len(node.ancestors), node.name))


def _state(component, content):
    if component != "item":
        return getattr(content, component)
    return canonical.encode({**content.fields, "updatedAt": 0})


def carried(component, data, nodes):
    """The nodes whose updatedAt is in arrived bytes: editors leave it alone."""
    if component != "item" or not switches.on("carried-time"):
        return []
    time = canonical.decode(data).get("updatedAt")
    return [node for node in nodes if node.content.updated == time]


def of_local(component, data, graph, at, older=(), set_aside=(), found=()):
    """The parent of bytes that were written here: the last version seen here, or a later one that arrived before the edit.

    `older`: names of versions that were here when the bytes were written, though another one was live last.
    `set_aside`: what a tool had put aside as conflict copies before they were written. They come from none of these.
    `found`: versions that have the bytes. Somebody put them back in the place of others.
    """
    here = graph.node(at)
    if here is None:
        return at
    if component in ("page", "document") or not switches.on("nearest"):
        return here.name

    def is_aside(node):
        return getattr(node.content, component) in set_aside

    lineage = [graph.nodes[name] for name in here.ancestors]
    # What a tool put aside was the latest of its device: no tool brought what that came from.
    before = set().union(here.ancestors, *(node.ancestors for node in graph.nodes.values() if is_aside(node)))
    nodes = [here] + [node for node in graph.nodes.values() if node.name not in before]
    same = {graph.node_of.get(name) for name in found}
    nodes = [node for node in nodes if not is_aside(node) and node.name not in same] or [node for node in lineage if not is_aside(node)] or [here]
    if older:
        first = max((graph.nodes[name] for name in older), key=lambda node: (len(node.ancestors), node.name))
        nodes += [graph.nodes[name] for name in older if name != here.name]
        return nearest(component, data, nodes, first.name, here, graph.nodes).name
    every = [node for node in graph.nodes.values() if not is_aside(node) and node.name not in same
             and (node.name in here.ancestors or node.name not in before)]
    fits = carried(component, data, nodes) or carried(component, data, every) or nodes
    return nearest(component, data, fits, here.name, here, graph.nodes).name


def may_come_from_arrival(component, data, found, graph, at, set_aside=()):
    """Whether bytes of an earlier version, which were written here, may have been made of a version that arrived as well as of the last
    one seen here: it comes from the earlier one, too, and is as near."""
    here = graph.node(at)
    if here is None or component in ("page", "document"):
        return False
    known = distance(component, data, here.content)
    return any(name not in here.ancestors and getattr(node.content, component) not in set_aside
               and any(graph.is_ancestor(one, name) for one in found)
               and distance(component, data, node.content) <= known for name, node in graph.nodes.items())


def of_arrival(component, data, graph, time=None, is_copy=False, live=None):
    """The parent of bytes that came from elsewhere, and whether it is certain: the version whose time they carry.

    `live`: what a conflict copy lies beside. It lost against that, so it does not come from a head with these bytes.
    """
    nodes = list(graph.nodes.values())
    if is_copy and live is not None:
        if component == "text":
            live = canonical.sha(live)
        nodes = [node for node in nodes if node.name not in graph.heads or getattr(graph.versions[node.name], component) != live]
    if not nodes:
        return None, False
    fits = carried(component, data, nodes)
    if fits:
        # An editor may have saved twice under one time, and the first save may arrive after the second.
        older = {name for node in fits for name in node.ancestors}
        return nearest(component, data, [graph.nodes[name] for name in sorted(older)]).name, True
    if not switches.on("nearest"):
        return graph.heads[0], False
    if component in ("page", "document"):
        return _before_last_change(component, graph), False
    if component == "item":
        time = canonical.decode(data).get("updatedAt")
    if time is not None and switches.on("not-before"):
        # A program that edits does not set the time back, so they come from nothing later. The wait may have brought that.
        early = [node for node in nodes if node.content.updated <= time]
        # What an earlier one came from is earlier, whatever a wrong clock says.
        older = {name for node in early for name in node.ancestors}
        nodes = [node for node in nodes if node.name in older] or nodes
    if is_copy:
        # A copy lost against something that came after the state that it was made from.
        nodes = [node for node in nodes if node.name not in graph.heads] or nodes
    return nearest(component, data, nodes).name, False


def _before_last_change(component, graph):
    """The latest version with other bytes than the head's: a conflict that shows both is better than a loss. One whose bytes lost in a join and
    that nobody replaced is none."""

    def value(node):
        return getattr(node.content, component)

    def direct(node):
        before = [graph.nodes[name] for name in node.ancestors if name != node.name]
        return [one for one in before if not any(one.name in other.ancestors for other in before if other is not one)]

    head = graph.nodes[graph.heads[-1]]
    lineage = [graph.nodes[name] for name in head.ancestors]
    origins = [(node, direct(node)) for node in lineage]
    replaced = {value(of[0]) for node, of in origins if len(of) == 1 and value(of[0]) != value(node)}
    older = [node for node in lineage if value(node) != value(head)]
    former = [node for node in older if value(node) in replaced] or older
    return max(former, key=lambda node: (len(node.ancestors), node.name)).name if former else head.name

"""Which version is the parent of bytes that no sbfs wrote (rule 3)."""

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


def explained(graph, component, value, counting=False):
    """Names of versions with these bytes of the component (a hash for pages and documents)."""
    if component == "text" and value is not None:
        value = canonical.sha(value)
    return [name for name, version in graph.versions.items()
            if getattr(version, component) == value and (not counting or name in graph.node_of)]


def nearest(component, data, nodes, first=None):
    """The nearest of some nodes; of equally near ones `first`, then the earliest state (a value that stays is better than a
    loss), and of several nodes with that state the latest."""
    nodes, began = list(nodes), {}
    for node in nodes:
        key = _state(component, node.content)
        began[key] = min(began.get(key, len(node.ancestors)), len(node.ancestors))
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


def of_local(component, data, graph, at, older=()):
    """The parent of bytes that were written here: the last version seen here, or a later one that arrived before the edit.

    `older`: names of versions that were here when the bytes were written, though another one was live last.
    """
    here = graph.node(at)
    if here is None:
        return at
    nodes = [here] + [node for node in graph.nodes.values() if node.name not in here.ancestors]
    if component in ("page", "document") or not switches.on("nearest"):
        return here.name
    if older:
        first = max((graph.nodes[name] for name in older), key=lambda node: (len(node.ancestors), node.name))
        return nearest(component, data, nodes + [graph.nodes[name] for name in older if name != here.name], first.name).name
    fits = carried(component, data, nodes) or carried(component, data, graph.nodes.values()) or nodes
    return nearest(component, data, fits, here.name).name


def of_arrival(component, data, graph, time=None, is_copy=False):
    """The parent of bytes that came from elsewhere, and whether it is certain: the version whose time they carry."""
    nodes = list(graph.nodes.values())
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
        nodes = [node for node in nodes if node.content.updated <= time] or nodes
    if is_copy:
        # A copy lost against something that came after the state that it was made from.
        nodes = [node for node in nodes if node.name not in graph.heads] or nodes
    return nearest(component, data, nodes).name, False


def _before_last_change(component, graph):
    """The latest version with other bytes than the head's: a conflict that shows both is better than a loss."""
    head = graph.nodes[graph.heads[-1]]
    value = getattr(head.content, component)
    older = [graph.nodes[name] for name in head.ancestors if getattr(graph.nodes[name].content, component) != value]
    return max(older, key=lambda node: (len(node.ancestors), node.name)).name if older else head.name

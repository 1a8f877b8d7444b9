"""Values of fields that somebody replaced, but that stood on both sides of a join (rule 6).

States are joined two at a time. Where histories crossed, or a third head replaced the value, neither side shows it.
"""

import canonical
import fields

LIMIT = 1000     # so many versions are asked at most; of more, none is
RULED = {"id", "createdAt", "tags", "annotations", "trashedAt", "deletedAt", "updatedAt"} | {name for unit in fields.UNITS.values() for name in unit}


def settled(graph, heads, content):
    """A joined content, with the values that took the place of replaced ones. `heads` are names of nodes."""
    nodes = sorted(set().union(*(graph.nodes[name].ancestors for name in heads)))
    members = dict(content.fields)
    sides = [graph.nodes[name].content.fields for name in heads]
    if len(nodes) > LIMIT or any(side.get("deletedAt") is not None for side in (members, *sides)):
        return content
    for key in dict.fromkeys(key for side in (members, *sides) for key in side):
        if key in RULED:
            continue
        found = _standing(graph, heads, nodes, key, members.get(key, fields.ABSENT))
        if not found:
            continue
        if found[0] is fields.ABSENT:
            members.pop(key, None)
        else:
            members[key] = found[0]
    return content._replace(item=canonical.encode(members))


def _standing(graph, heads, nodes, key, value):
    """What stands instead of a value, in a tuple; an empty one where the value was not replaced."""
    def read(name):
        return graph.nodes[name].content.fields.get(key, fields.ABSENT)

    puts = [name for name in nodes if all(read(parent) != read(name) for parent in graph.parents[name])]
    replaced = set().union(*(graph.nodes[name].ancestors - {name} for name in puts))
    last = [name for name in puts if name not in replaced]
    if any(read(name) == value for name in last) or any(isinstance(one, dict) for one in [value, *map(read, last)]):
        return ()
    # What a join passed over is a conflict already; a value that a head has comes first.
    live = [name for name in last if any(read(head) == read(name) for head in heads)]
    return (read(max(live or last, key=lambda name: (graph.nodes[name].content.updated, name))),)

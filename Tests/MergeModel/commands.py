"""Commands of sbfs: each sweeps first, works on the head, and notes what it makes."""

import canonical
import merge
import switches
from content import COMPONENTS
from memory import Memory
from thing import ITEM


def change(device, thing, alter, files=None, resolved=(), rule="note-command", step=True):
    """Changes an item. `alter` gives the new content or None. The content before and after, or None."""
    device.sweep()
    memory = device.memory[thing.name]
    before = memory.content
    device.shown = [device.disk.read(path) for path in thing.paths.values()]
    if before is None or device.disk.read(thing.paths["item"]) is None:
        return None
    if canonical.decode(device.disk.read(thing.paths["item"])) is None:
        return None      # it does not parse: refused
    after = alter(before)
    if after is None or (after == before and not resolved):
        return None
    if any(getattr(after, c) != getattr(before, c) and getattr(before, c) and device.bytes_of(thing, getattr(before, c)) is None
           for c in ("page", "document")):
        return None      # what would be replaced is not here yet: refused
    if any(getattr(after, c) not in (None, getattr(before, c)) and c not in (files or {}) and
           device.bytes_of(thing, getattr(after, c)) is None for c in ("page", "document")):
        return None      # an undo whose old file is gone
    live = device.live(thing)
    at = memory.at or device.note_root(thing)
    after = after._replace(item=canonical.encode({**after.fields, "updatedAt": max(device.now, before.updated + 1)}))
    for component in COMPONENTS:
        now, new = live[component], getattr(after, component)
        if new == getattr(before, component):
            continue
        if now is not None and now != getattr(before, component):
            data = device.disk.read(thing.paths[component])
            if switches.on("aside"):
                memory.set_aside(component, data)
            if component in ("page", "document"):
                memory.kept[now] = data
        if files and component in files:
            memory.kept[new] = files[component]
            device.disk.write(thing.paths[component], files[component], device.now, after.updated)
        elif new is None:
            device.disk.remove(thing.paths[component])
        else:
            device.put(thing, component, new, after.updated)
    memory.content = after
    if switches.on(rule):
        memory.at = device.note(thing, after, [at] if at else (), resolved)
        device.link_history(thing)
    memory.note_change(device.disk, thing)
    device.keep(thing, after)
    device.world.saw(after)
    if step:
        memory.steps.append((before, after))
    return before, after


def undo(device, thing):
    """Takes the last command back, unless something that it changed was changed since."""
    memory = device.memory[thing.name]
    if not memory.steps:
        return None
    old, new = memory.steps[-1]

    def alter(now):
        merged = merge.merge(new, now, old, True)
        return None if merged.conflicts or merged.losers else merged.content

    done = change(device, thing, alter, rule="note-undo", step=False)
    if done:
        memory.steps.pop()
    return done


def resolve(device, thing, pick, but=()):
    """Ends a conflict: the first or the second value stays. but: paths of conflicts that are left."""
    device.sweep()
    names = [path for path in device.disk.below(thing.conflicts) if path not in but]
    if not names:
        return None
    path = names[int(pick * 1000) % len(names)]
    conflict = canonical.decode(device.disk.read(path))
    field, values = conflict["field"], conflict["values"]
    chosen, other = (values if int(pick * 7919) % 2 else reversed(values))

    def alter(content):
        if field == "text":
            text = (content.text or b"").decode()
            return content._replace(text="\n\n".join(chosen if part == other else part for part in text.split("\n\n")).encode())
        members = dict(content.fields)
        if "." not in field and field != "ai" and members.get(field) == other and chosen is not None:
            members[field] = chosen
        return content._replace(item=canonical.encode(members))

    data = device.disk.read(path)
    done = change(device, thing, alter, resolved=(path[len(thing.folder):],), step=False)
    if done:
        device.disk.remove(path)
        return (*done, data, path)
    return None


def purge(device):
    """Removes an item that is in the trash; its tombstone lists what was seen. Whether it did."""
    device.sweep()
    thing, memory = ITEM, device.memory[ITEM.name]
    live = device.live(thing)
    if memory.content is None or live["item"] is None or "trashedAt" not in memory.content.fields:
        return False
    if memory.aside or any(live[c] is not None and live[c] != getattr(memory.content, c) for c in COMPONENTS):
        return False      # something waits: it is an edit that the purge did not see
    graph = device.graph(thing)
    if graph.incomplete():
        return False
    files = {v if c in ("page", "document") else canonical.sha(v) for c, v in live.items() if v is not None}
    for version in graph.versions.values():
        files |= {canonical.sha(version.item), version.text, version.page, version.document} - {None}
    value = {"id": thing.name, "purgedAt": device.now, "files": sorted(files), "versions": sorted(graph.versions)}
    data = canonical.encode(value)
    device.disk.write("%s%s.json" % (thing.tombstones, canonical.sha(data)[:16]), data, device.now)
    for path in device.disk.below(thing.folder):
        device.disk.remove(path)
    device.memory[thing.name] = Memory()
    return True


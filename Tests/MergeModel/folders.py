"""sbfs merge DIR: this replica takes what another folder has; --both does it in both directions."""

import canonical
from thing import THINGS


def merge(here, there, both):
    """Takes over the files that are named by content, and what was saved there since its last sweep as an arrival."""
    if both:
        there.sweep()
    here.sweep()
    _take(there, here)
    here.sweep()
    if both:
        _take(here, there)
        there.sweep()


def _take(source, target):
    for path, file in source.disk.files.items():
        named_by_content = "/history/" in path or "/conflicts/" in path or "/snapshots/" in path or path.startswith("tombstones/") \
            or ".conflict-" in path
        if named_by_content and path not in target.disk.files:
            target.disk.write(path, file.data, target.now, file.mtime)
    for thing in THINGS:
        memory = target.memory[thing.name]
        for component, path in thing.paths.items():
            data = source.disk.read(path)
            if data is None:
                continue
            if target.disk.read(path) is None:
                target.disk.write(path, data, target.now, source.disk.files[path].mtime - 60_000)
            elif target.disk.read(path) != data:
                if component in ("page", "document"):
                    memory.kept[canonical.sha(data)] = data
                memory.set_aside(component, data)

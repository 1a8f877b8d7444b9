"""A model of git: commits of files, merges file by file with and without the driver, rebase, cherry-pick, stash, steps back.

history/ is ignored; conflicts/ and losing files are committed like all others.
"""

import canonical
import commands
import merge
import switches
from content import DOCUMENT, PAGE, Content
from paragraphs import matches
from thing import ITEM, THINGS
from world import World

EMPTY = b"{}\n"


class Commit:
    def __init__(self, files, parents):
        self.files, self.parents = files, tuple(parents)
        self.ancestors = {self}.union(*(parent.ancestors for parent in parents))
        self.generation = 1 + max((parent.generation for parent in parents), default=0)


def age(commit):
    """An order of commits that every clone has."""
    return commit.generation, canonical.sha(repr(sorted(commit.files.items())).encode())


def tracked(path):
    return "/history/" not in path and ".sync-conflict-" not in path


def base_of(a, b):
    """git's merge base: the best common ancestors, joined into one set of files if there are several."""
    common = a.ancestors & b.ancestors
    inner = set().union(*(commit.ancestors - {commit} for commit in common)) if common else set()
    lowest = sorted(common - inner, key=age)
    if not lowest:
        return {}
    files, seen = lowest[0].files, lowest[0]
    for commit in lowest[1:]:
        files, _ = merge_files(base_of(seen, commit), files, commit.files)
        seen = Commit(files, (seen, commit))
    return files


def merge_files(base, ours, theirs, driver=True, ended=None):
    """Merges two trees file by file. The files, and those that the driver wrote beside them. ended: of each item the conflicts that
    versions in its history/ ended."""
    result, beside = {}, {}
    for path in sorted({*base, *ours, *theirs}):
        old, one, two = base.get(path), ours.get(path), theirs.get(path)
        if one == two or two == old:
            value = one
        elif one == old:
            value = two
        elif one is None or two is None:
            value = two if one is None else one      # changed here, deleted there: git stops; the change stays
        elif driver:
            value = drive(path, old, one, two, beside, ended or {})
        else:
            value = textual(old, one, two)
        if value is not None:
            result[path] = value
    return result, beside


def drive(path, old, one, two, beside, ended):
    """The driver for one file: it sees only %O, %A and %B, and the history/ of the work tree."""
    for thing in THINGS:
        for component, place in thing.paths.items():
            if path != place:
                continue
            if component in ("page", "document"):
                return pick(thing, component, old, one, two, beside)
            base, a, b = (_content(component, data) for data in (old, one, two))
            if None in (base, a, b):
                return one
            a_wins = (a.updated, one) > (b.updated, two)
            merged = merge.merge(base, a, b, a_wins, ended=ended.get(thing, ()))
            for name, data in merged.conflicts:
                beside[thing.folder + name] = data
            return getattr(merged.content, component)
    return max(one, two)


def _content(component, data):
    if component == "text":
        return Content(EMPTY, data or b"")
    members = canonical.decode(data) if data else {}
    return None if members is None else Content(canonical.encode(members))


def pick(thing, component, old, one, two, beside):
    """A page says in itself how it was saved, so that its driver chooses as the driver of item.json does."""
    order = {"full": 3, "partial": 2, "failed": 1}

    def rank(data):
        value = canonical.decode(data) if component == "page" else None
        return (order.get(value.get("status"), 0), value.get("saved", 0), data) if value else (0, 0, canonical.sha(data).encode())

    winner, loser = (one, two) if rank(one) >= rank(two) else (two, one)
    if switches.on("keep-loser"):
        digest = canonical.sha(loser)[:8]
        if component == "page":
            beside["%ssnapshots/%s/%s" % (thing.folder, digest, PAGE)] = loser
        else:
            stem, _, extension = DOCUMENT.rpartition(".")
            beside["%s%s.conflict-%s.%s" % (thing.folder, stem, digest, extension)] = loser
    return winner


def textual(old, one, two):
    """What git does without a driver: diff3 of lines, with markers where both changed the same place."""
    base, a, b = ((data or b"").split(b"\n") for data in (old, one, two))
    in_a, in_b = dict(matches(tuple(base), tuple(a))), dict(matches(tuple(base), tuple(b)))
    result, i, j, k = [], 0, 0, 0
    stable = [n for n in range(len(base)) if n in in_a and n in in_b]
    for n in (*stable, None):
        i2, j2, k2 = (len(base), len(a), len(b)) if n is None else (n, in_a[n], in_b[n])
        was, mine, theirs = base[i:i2], a[j:j2], b[k:k2]
        if mine == theirs or theirs == was:
            result += mine
        elif mine == was:
            result += theirs
        else:
            result += [b"<<<<<<< ours", *mine, b"=======", *theirs, b">>>>>>> theirs"]
        if n is not None:
            result.append(base[n])
            i2, j2, k2 = i2 + 1, j2 + 1, k2 + 1
        i, j, k = i2, j2, k2
    return b"\n".join(result)


class GitWorld(World):
    """Three clones and one shared repository."""

    def _begin(self):
        super()._begin()
        self.heads, self.stash = {}, {}
        first = Commit(self._tree("a"), ())
        self.shared = first
        for name, device in self.devices.items():
            device.work_tree = True
            self.heads[name] = first

    compared = staticmethod(tracked)

    def _tree(self, name):
        return {path: file.data for path, file in self.devices[name].disk.files.items() if tracked(path)}

    def _check_out(self, name, files):
        """Writes a tree: git gives every changed file the present time."""
        disk = self.devices[name].disk
        for path in [path for path in disk.files if tracked(path) and path not in files]:
            disk.remove(path)
        for path, data in files.items():
            if disk.read(path) != data:
                disk.write(path, data, self.devices[name].now)

    def _commit(self, name):
        files = self._tree(name)
        if files != self.heads[name].files:
            self.heads[name] = Commit(files, (self.heads[name],))

    def _driver(self, name):
        return switches.on("driver") and not ("no-driver" in self.kind.extras and name == "c")

    def _ended(self, name):
        return {thing: thing.ended(self.devices[name].disk) for thing in THINGS} if switches.on("remade") else {}

    def carry(self, carrier, a, b, order=None):
        for name in (a.name, b.name, a.name):
            self._pull(name, "merge")

    def _sync(self, number, op):
        a, b = self.devices[op["at"]], self.devices[op["to"]]
        for device, how in ((a, op["how"]), (b, "merge"), (a, "merge")):
            self._pull(device.name, how)
        self.known[a.name] |= self.known[b.name]
        self.known[b.name] |= self.known[a.name]
        for device, sweep in ((a, op["sweep"]), (b, op["sweep2"])):
            if sweep:
                device.sweep()

    def _pull(self, name, how):
        """git pull in one of four ways, then git push."""
        if how == "stash":
            # stash push, pull, stash pop
            old, changed = self.heads[name].files, self._tree(name)
            self._check_out(name, old)
            self._join(name, "merge")
            files, beside = merge_files(old, self.heads[name].files, changed, self._driver(name), self._ended(name))
            self._check_out(name, {**files, **beside})
            self._repair(name, old, self.heads[name].files, changed)
            self._commit(name)
        else:
            self._commit(name)
            self._join(name, how)
        self.shared = self.heads[name]

    def _join(self, name, how):
        mine, theirs = self.heads[name], self.shared
        if theirs in mine.ancestors:
            return
        if mine in theirs.ancestors:
            self.heads[name] = theirs
            self._check_out(name, theirs.files)
            return
        driver, ended = self._driver(name), self._ended(name)
        if how in ("rebase", "cherry-pick"):
            # Each own commit again, on top of what the other has: merges are left out, as rebase does.
            own = sorted((c for c in mine.ancestors - theirs.ancestors if len(c.parents) == 1), key=lambda c: c.generation)
            if all(len(c.parents) == 1 for c in mine.ancestors - theirs.ancestors):
                tip = theirs
                for commit in own:
                    files, beside = merge_files(commit.parents[0].files, tip.files, commit.files, driver, ended)
                    files |= beside
                    tip = Commit(self._redone(name, commit.parents[0].files, tip.files, commit.files, files), (tip,))
                self.heads[name] = tip
                self._check_out(name, tip.files)
                return
        base = base_of(mine, theirs)
        files, beside = merge_files(base, mine.files, theirs.files, driver, ended)
        files |= beside
        files = self._redone(name, base, mine.files, theirs.files, files)
        self.heads[name] = Commit(files, (mine, theirs))
        self._check_out(name, files)

    def _redone(self, name, base, ours, theirs, files):
        """sbfs finds a merge that git made without the driver, and makes it again from its parents (rule 17)."""
        if self._driver(name) or not switches.on("redo"):
            return files
        merged, beside = merge_files(base, ours, theirs, True, self._ended(name))
        return {**merged, **beside}

    def _repair(self, name, base, ours, theirs):
        if not self._driver(name) and switches.on("redo"):
            merged, beside = merge_files(base, ours, theirs, True, self._ended(name))
            self._check_out(name, {**merged, **beside})

    def _remade(self, number, op):
        """A pull that met a conflict, its resolution, git reset --hard, and the same pull again: the resolution is thrown away. A conflict
        that came with the commits of the other side stays ended: no driver makes it."""
        name = op["at"]
        device, other = self.devices[name], self.devices[op["to"]]
        other.sweep()
        self._pull(other.name, "merge")
        device.sweep()
        self._commit(name)
        mine = self.heads[name]
        if self.shared not in mine.ancestors and mine not in self.shared.ancestors:
            self._join(name, "merge")
            commands.resolve(device, ITEM, op["pick"], {*mine.files, *self.shared.files})
            self.heads[name] = mine
            self._check_out(name, mine.files)
            device.sweep()
        self._sync(number, op)

    def _back(self, number, op):
        """git checkout OLD -- FILES, git reset --hard, git stash: steps back that sbfs respects."""
        name = op["at"]
        device = self.devices[name]
        device.sweep()
        before = {thing: self._files(device, thing) for thing in THINGS}
        if op["how"] == "reset":
            # Only what was not pushed: a pushed commit comes back by the next pull.
            self._commit(name)
            own = [c for c in self.heads[name].ancestors - self.shared.ancestors if len(c.parents) == 1]
            if not own or len(self.heads[name].parents) != 1:
                return
            self.heads[name] = self.heads[name].parents[0]
            self._check_out(name, self.heads[name].files)
        elif op["how"] == "stash":
            self._check_out(name, self.heads[name].files)
        else:
            olds = sorted(self.heads[name].ancestors, key=age)
            old = olds[op["seed"] % len(olds)]
            files = dict(self._tree(name))
            for path in (ITEM.paths["item"], ITEM.paths["text"]):
                files[path] = old.files.get(path, files.get(path))
            self._check_out(name, {path: data for path, data in files.items() if data is not None})
        for thing in THINGS:
            after = self._files(device, thing)
            if after != before[thing]:
                self._record(number, device, thing, before[thing], after)
        expected = self._files(device, ITEM)
        device.sweep()
        if self._files(device, ITEM) != expected:
            self.oracle.broken.append(("unequal", "%s: a step back was not respected" % name))



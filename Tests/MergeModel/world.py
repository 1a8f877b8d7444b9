"""Runs one script on three replicas."""

import copy
import random

import canonical
import commands
import folders
import rsync
import switches
from content import COMPONENTS, Content
from device import Device
from memory import Memory
from edits import Edit, first_text, tokens
from oracle import Oracle
from syncthing import Syncthing
from thing import ITEM, SMALL, THINGS

START = 1_795_256_100_000
ROUNDS = 24


class World:
    def __init__(self, kind):
        self.kind, self.time = kind, START
        self.graphs = {}
        self.oracle = Oracle()
        self.devices = {name: Device(name, self) for name in "abc"}
        self.syncthing = Syncthing()
        self.backups = []
        self.olds = {name: [] for name in "abc"}       # bytes that an editor could put back
        self.drafts = {}
        self.known = {name: set() for name in "abc"}
        self._begin()

    def _begin(self):
        item = {"id": "1", "type": "snippet", "title": "T9001x", "tags": ["G9001x", "G9002x"], "x-p": "K9001x",
                "createdAt": START - 9, "updatedAt": START}
        a = self.devices["a"]
        a.disk.write(ITEM.paths["item"], canonical.encode(item), START)
        a.disk.write(ITEM.paths["text"], first_text().encode(), START)
        a.disk.write(SMALL.paths["item"], canonical.encode({"name": "Work", "colour": "C9001x", "updatedAt": START}), START)
        self.time += 10_000
        for name, device in self.devices.items():
            if name != "a":
                rsync.copy(a, device, True)
            if name == "a" or "fresh" not in self.kind.extras:
                device.sweep()
        for thing in THINGS:
            self.oracle.edit(thing, "a", 0, (), [a.disk.read(path) for path in thing.paths.values()])
        self.known = {name: {0} for name in self.known}
        self.syncthing.sync(a, self.devices["b"])
        self.syncthing.sync(a, self.devices["c"])

    # --- what devices report

    def saw(self, content):
        self.oracle.seen |= tokens(content.item, content.text)

    def saw_bytes(self, data):
        self.oracle.seen |= tokens(data)

    # --- steps

    def step(self, number, op):
        self.time += op["dt"]
        getattr(self, "_" + op["do"])(number, op)

    def _files(self, device, thing):
        return [device.disk.read(path) for path in thing.paths.values()]

    def _record(self, number, device, thing, before, after):
        self.oracle.edit(thing, device.name, number, before, after)
        self.known[device.name].add(number)
        self.oracle.hold(thing, self.known[device.name], tokens(*after))

    def _edit(self, number, op):
        device, thing = self.devices[op["at"]], SMALL if op["small"] else ITEM
        self._make_edit(number, op, device, thing)
        if op["kind"] == "delete" and self.kind.knows and number in self.known[device.name]:
            self.oracle.deletions.append(set(self.known[device.name]))
            if not switches.on("small-deletion"):
                device.disk.remove(thing.paths["item"])
                for path in device.disk.below(thing.history):
                    device.disk.remove(path)
                device.memory[thing.name] = Memory()

    def _make_edit(self, number, op, device, thing):
        edit = Edit(op["kind"], number, op["seed"], device.now)
        if op["by"] == "command":
            done = commands.change(device, thing, edit.apply, edit.files)
            if done:
                self._command_done(number, device, thing, done)
            return
        live = device.live(thing)
        members = canonical.decode(live["item"]) if live["item"] else None
        if members is None or (thing.small and "deletedAt" in members and op["kind"] == "delete"):
            return
        before = self._files(device, thing)
        content = Content(**live)
        new = edit.apply(content)
        if new is None:
            return
        if op["kind"] == "document":
            new = content._replace(document=new.document)
        if op["by"] == "editor-time":
            if new.item != content.item:
                new = new._replace(item=canonical.encode({**new.fields, "updatedAt": device.now // 1000 * 1000}))
        self.olds[op["at"]].append((thing, {c: live[c] for c in ("item", "text") if live[c]}))
        for component in COMPONENTS:
            value = getattr(new, component)
            if value != live[component]:
                device.disk.write(thing.paths[component], edit.files.get(component, value), device.now)
        self._record(number, device, thing, before, self._files(device, thing))
        if op["sweep"]:
            device.sweep()

    def _command_done(self, number, device, thing, done):
        """A person who runs a command sees the head: what waits is not seen."""
        before, after = done
        files = self._files(device, thing)
        self.oracle.seen |= tokens(*files)
        self._record(number, device, thing, [before.item, before.text, *device.shown[2:]],
                     [after.item, after.text, *files[2:]])

    def _undo(self, number, op):
        device, thing = self.devices[op["at"]], SMALL if op["small"] else ITEM
        done = commands.undo(device, thing)
        if done:
            self._command_done(number, device, thing, done)

    def _resolve(self, number, op):
        device, thing = self.devices[op["at"]], SMALL if op["small"] else ITEM
        done = commands.resolve(device, thing, op["pick"])
        if done:
            before, after, conflict, path = done
            self.oracle.resolved.add(path)
            value = canonical.decode(conflict)
            shown = canonical.encode(value["values"])
            self._record(number, device, thing, [before.item, before.text, shown], [after.item, after.text])

    def _revert(self, number, op):
        """An editor puts back what it once had: written now, so on purpose."""
        device = self.devices[op["at"]]
        olds = self.olds[op["at"]]
        if not olds:
            return
        thing, files = olds[op["seed"] % len(olds)]
        component = ("item", "text")[op["seed"] // 7 % 2]
        now = device.disk.read(thing.paths.get(component, ""))
        if now is None or component not in files or device.disk.read(thing.paths["item"]) is None:
            return
        device.disk.write(thing.paths[component], files[component], device.now)
        self._record(number, device, thing, [now], [files[component]])
        if op["sweep"]:
            device.sweep()

    def _draft(self, number, op):
        """An editor writes a text under another name, and at a later step of this kind moves it over the text."""
        device, path = self.devices[op["at"]], ITEM.paths["text"]
        if op["at"] in self.drafts:
            made, time, before, after = self.drafts.pop(op["at"])
            if path in device.disk.files and device.disk.read(ITEM.paths["item"]) is not None and time <= device.now:
                device.disk.write(path, after, device.now, time, moved=True)
                self._record(made, device, ITEM, [before], [after])
                if op["sweep"]:
                    device.sweep()
            return
        live = device.live(ITEM)
        if live["item"] is None or canonical.decode(live["item"]) is None:
            return
        new = Edit(op["kind"], number, op["seed"], device.now).apply(Content(**live))
        if new is not None:
            self.drafts[op["at"]] = (number, device.now, live["text"], new.text)

    def _sweep(self, number, op):
        self.devices[op["at"]].sweep()

    def _purge(self, number, op):
        device = self.devices[op["at"]]
        edit = Edit("trash", number, 0, device.now)
        done = commands.change(device, ITEM, edit.apply)
        if done:
            self._record(number, device, ITEM, [done[0].item], [done[1].item])
        device.sweep()
        seen = self._all_tokens(device)
        if commands.purge(device):
            known = self.known[op["at"]]
            others = [other for other in self.devices.values() if self.known[other.name] - known]
            self.oracle.purge(ITEM, number, seen, set(known), set().union(*(self._all_tokens(other) for other in others)),
                              set().union(*(self.known[other.name] for other in others)), self.kind.knows)
            known.add(number)

    @staticmethod
    def _all_tokens(device):
        return tokens(*(file.data for path, file in device.disk.files.items() if ITEM.owns(path) and "/history/" not in path))

    def _backup(self, number, op):
        self.backups.append(dict(self.devices[op["at"]].disk.files))

    def _restore(self, number, op):
        """An old backup is copied over a replica with rsync -a."""
        if self.backups:
            device = self.devices[op["at"]]
            for path, file in self.backups[op["seed"] % len(self.backups)].items():
                device.disk.write(path, file.data, device.now, file.mtime)
            device.sweep()

    def _clock(self, number, op):
        self.devices[op["at"]].offset = op["offset"]

    def _forget(self, number, op):
        self.devices[op["at"]].forget()

    def _history_lost(self, number, op):
        disk = self.devices[op["at"]].disk
        for thing in THINGS:
            for path in disk.below(thing.history):
                disk.remove(path)

    def _twin(self, number, op):
        """Two devices with one id: the disk of one is cloned to the other, .sbfs and all, when they have just met."""
        a, b = self.devices[op["at"]], self.devices[op["to"]]
        for _ in range(3):
            for device in (a, b):
                device.sweep()
            self.carry(self.kind.carrier, a, b)
        b.disk.files = dict(a.disk.files)
        b.memory = copy.deepcopy(a.memory)
        both = self.known[a.name] | self.known[b.name]
        self.known[a.name], self.known[b.name] = set(both), set(both)

    def _sync(self, number, op):
        a, b = self.devices[op["at"]], self.devices[op["to"]]
        carrier = op["carrier"]
        order = None
        if op["cut"]:
            chance = random.Random(op["seed"])

            def order(paths):
                if carrier == "syncthing" or op["seed"] % 2:
                    paths = chance.sample(paths, len(paths))
                return paths[:chance.randint(0, len(paths))]
        self.carry(carrier, a, b, order)
        if not op["cut"]:
            both = self.known[a.name] | self.known[b.name]
            self.known[a.name], self.known[b.name] = set(both), set(both)
        for device, sweep in ((a, op["sweep"]), (b, op["sweep2"])):
            if sweep:
                device.sweep()

    def carry(self, carrier, a, b, order=None):
        if carrier == "rsync":
            rsync.sync(a, b, True, order)
        elif carrier == "rsync-plain":
            rsync.sync(a, b, False, order)
        elif carrier == "syncthing":
            self.syncthing.sync(a, b, order)
        elif carrier == "merge":
            folders.merge(a, b, True)
        elif carrier == "merge-one":
            folders.merge(a, b, False)
            folders.merge(b, a, False)
        else:
            raise ValueError(carrier)

    # --- the end

    def finish(self):
        """Meets until nothing changes; the violations and how many conflicts there are."""
        names = "abc"
        carrier = self.kind.carrier if self.kind.carrier != "mixed" else "rsync"
        calm, months = 0, 0
        for _ in range(ROUNDS):
            before = self._states()
            for other in "bc":
                self.time += 20 * 60_000
                a, b = self.devices["a"], self.devices[other]
                for device in (a, b):
                    device.sweep()
                self.carry(carrier, a, b)
                for device in (a, b):
                    device.sweep()
            calm = calm + 1 if before == self._states() else 0
            waits = any(memory.aside or memory.waits for device in self.devices.values() for memory in device.memory.values())
            if calm >= 2 and waits and months < 2:
                self.time += 31 * 86_400_000      # what waits is not waited for any longer
                calm, months = 0, months + 1
            elif calm >= 2:
                break
        else:
            return [("unrest", "still changing after %d rounds" % ROUNDS)], 0
        states = self._states()
        found = self.oracle.check([self.devices[name] for name in names], states)
        conflicts = sum(is_conflict(path) for path in states[0])
        return found, conflicts

    def _states(self):
        return [{path: data for path, data in self.devices[name].disk.state().items() if self.compared(path)} for name in "abc"]

    @staticmethod
    def compared(path):
        return True


def is_conflict(path):
    return "/conflicts/" in path or ".conflict-" in path or ".sync-conflict-" in path


def run(kind, ops, world_class=World):
    """One script from its steps: violations, conflicts."""
    world = world_class(kind)
    for number, op in ops:
        world.step(number, op)
    return world.finish()

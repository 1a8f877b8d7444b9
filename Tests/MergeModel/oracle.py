"""What must hold when all replicas have met: nothing lost, nothing back, equal copies, rest."""

from content import COMPONENTS
from edits import tokens
from thing import THINGS


class Oracle:
    """Remembers what each edit saw and made."""

    def __init__(self):
        self.events = {}       # token -> [(+1 or -1, replica)]
        self.removed_by = {}   # token -> serial of the last edit that removed it
        self.thing_of = {}     # token -> name of the thing
        self.open = set()      # tokens of which nothing is demanded (a reset of git dropped them)
        self.purges = []       # what each purge saw, and what replicas held that had more or did not know of it
        self.edits = {}        # thing -> serials
        self.deletions = []    # (serial, edits known) of deleted small files
        self.resolved = set()  # paths of conflicts that a person resolved
        self.broken = []       # what was seen to be wrong on the way
        self.seen = set()      # tokens that a sbfs saw

    def edit(self, thing, replica, serial, before, after):
        """before and after: bytes that the person saw, and what they became."""
        old, new = tokens(*before), tokens(*after)
        for token in old - new:
            self.events.setdefault(token, []).append((-1, replica))
            self.removed_by[token] = serial
        for token in new - old:
            self.events.setdefault(token, []).append((1, replica))
            self.thing_of[token] = thing.name
        self.edits.setdefault(thing.name, set()).add(serial)

    def purge(self, thing, serial, seen, known, held, shared, certain):
        """`known`: serials of edits whose results the purge saw; `certain`: whether that is known exactly."""
        self.purges.append({"thing": thing.name, "serial": serial, "seen": seen, "known": known, "held": held,
                            "shared": shared, "certain": certain})

    def hold(self, thing, known, now):
        """A replica that does not know of a purge edits the item: what it holds must live with the item."""
        for purge in self.purges:
            if purge["thing"] == thing.name and purge["serial"] not in known:
                purge["held"] |= now
                purge["shared"] |= known

    def must_live(self, token):
        events = self.events[token]
        minus = {replica for sign, replica in events if sign < 0}
        return events[-1][0] > 0 and (not minus or minus == {events[-1][1]} == {r for _, r in events[1:]})

    def must_be_gone(self, token):
        events = self.events[token]
        return events[-1][0] < 0 and {replica for _, replica in events[1:]} == {events[-1][1]}

    def check(self, devices, states):
        """Violations as (kind, what). `states` are the files that are compared."""
        found = list(self.broken)
        first = states[0]
        for device, state in zip(devices, states):
            if state != first:
                paths = sorted(path for path in {*state, *first} if state.get(path) != first.get(path))
                found.append(("unequal", "%s: %s" % (device.name, ", ".join(paths[:3]))))
        for thing in THINGS:
            self._check_thing(thing, devices, states, found)
        return found

    def _check_thing(self, thing, devices, states, found):
        mine = [token for token, name in self.thing_of.items() if name == thing.name and token not in self.open]
        purges = [purge for purge in self.purges if purge["thing"] == thing.name]
        for device, state in zip(devices, states):
            files = {path: data for path, data in state.items() if thing.owns(path) and "/history/" not in path}
            present = tokens(*(data for path, data in files.items() if ".sync-conflict-" not in path))
            live = tokens(*(files.get(thing.paths[c]) for c in COMPONENTS if c in thing.paths))
            lives = thing.paths["item"] in files
            for path in files:
                if ".sync-conflict-" in path:
                    found.append(("unrest", "%s: the conflict copy %s is left" % (device.name, path)))
            if lives and any(purge["certain"] and purge["known"] >= self.edits[thing.name] for purge in purges):
                found.append(("purged", "%s: a purged item is back" % device.name))
            if thing.small and b"deletedAt" not in files.get(thing.paths["item"], b"deletedAt") and \
                    any(known >= self.edits[thing.name] for known in self.deletions):
                found.append(("purged", "%s: a deleted small file is back" % device.name))
            for path in sorted(self.resolved & set(files)):
                found.append(("ghost", "%s: %s was resolved" % (device.name, path)))
            gone = set()
            for purge in purges:
                gone |= purge["seen"] - purge["held"] if lives else purge["seen"]
            lost = [token for token in mine if self.must_live(token) and token not in present and token not in gone]
            for token in lost:
                found.append(("lost" if token in self.seen else "unseen", "%s: %s" % (device.name, token)))
            for token in mine:
                if token[0] in "GPN" and token in live and self.must_be_gone(token) and not self._purged(token, purges):
                    found.append(("ghost", "%s: %s" % (device.name, token)))

    def _purged(self, token, purges):
        """Whether the removal of a token was purged: only the one who purged the item knew of it."""
        serial = self.removed_by[token]
        return any(serial in purge["known"] and serial not in purge["shared"] for purge in purges)

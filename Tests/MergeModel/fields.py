"""Three-way merge of the members of item.json (rules 6 to 9)."""

import canonical
import switches

ABSENT = object()
# One value for each group: the newest whole (rule 9).
UNITS = {
    "ai": ("aiSummary", "aiModelID", "aiUpdatedAt"),
    "page": ("archiveStatus", "archivedAt", "htmlRelativePath"),
    "document": ("documentRelativePath", "documentSHA256"),
}
# The later side wins, and nobody asks for the other value (rule 6).
QUIET = {"updatedAt", "sortOrder", "favicon", "linkStatus", "lastCheckedDate", "archiveReason", "archiveAttempts"}
RANK = {None: 0, "failed": 1, "partial": 2, "full": 3}
TRASH = "trashcan"


class Merge:
    """One merge: `a` and `b` are members; a_wins says whose value stands where both changed."""

    def __init__(self, base, a, b, a_wins):
        self.base, self.a, self.b, self.a_wins = base, a, b, a_wins
        self.conflicts = []
        self.units = {}
        self.result = {}

    def run(self):
        done = {name for unit in UNITS.values() for name in unit} | {"tags", "trashedAt", "deletedAt", "updatedAt", "createdAt",
                                                                     "annotations", "id"}
        first, second = (self.a, self.b) if self.a_wins else (self.b, self.a)
        merged = {"id": first.get("id", second.get("id", ABSENT)), "createdAt": self._earliest("createdAt")}
        merged["tags"] = self._tags()
        merged["annotations"] = self._annotations()
        merged.update(self._trash())
        for unit, names in UNITS.items():
            merged.update(self._unit(unit, names))
        merged["updatedAt"] = self._time()
        for name in self._names(first, second, self.base):
            if name not in done:
                merged[name] = self._value(name, self.base.get(name, ABSENT), self.a.get(name, ABSENT), self.b.get(name, ABSENT))
        merged.update(self._deletion(merged))
        # The order of the winner, then what only the other has, in its order.
        for name in self._names(first, second, merged):
            if merged.get(name, ABSENT) is not ABSENT:
                self.result[name] = merged[name]
        return self.result

    def _time(self):
        """Later than both, and hardly ever that of another merge: arrived bytes are known by their time (rule 3)."""
        both = sorted(canonical.encode(side) for side in (self.a, self.b))
        return max(self.a.get("updatedAt", 0), self.b.get("updatedAt", 0)) + 1 + int(canonical.sha(b"".join(both))[:8], 16) % 997

    @staticmethod
    def _names(*objects):
        return list(dict.fromkeys(name for members in objects for name in members))

    def _earliest(self, name):
        times = [side[name] for side in (self.a, self.b) if name in side]
        return min(times) if times else ABSENT

    def _pick(self, name, base, a, b, quiet=False):
        """A scalar, an array or a unit: who changed it; both: the winner, and the loser is a conflict."""
        if a == b or b == base:
            return a
        if a == base:
            return b
        winner, loser = (a, b) if self.a_wins else (b, a)
        if not quiet and name not in QUIET:
            self.conflicts.append((name, None if base is ABSENT else base, None if winner is ABSENT else winner,
                                   None if loser is ABSENT else loser))
        return winner

    def _value(self, name, base, a, b):
        if not switches.on("unknown-keys") and name.startswith("x-"):
            return a if self.a_wins else b
        if isinstance(a, dict) and isinstance(b, dict) and switches.on("unknown-keys"):
            old = base if isinstance(base, dict) else {}
            first, second = (a, b) if self.a_wins else (b, a)
            merged = {key: self._value(name + "." + key, old.get(key, ABSENT), a.get(key, ABSENT), b.get(key, ABSENT))
                      for key in self._names(first, second, old)}
            return {key: value for key, value in merged.items() if value is not ABSENT}
        if a is ABSENT and isinstance(b, dict) or b is ABSENT and isinstance(a, dict):
            # The object was removed here and changed there: the change wins, as for paragraphs.
            if base is not ABSENT and a != base and b != base:
                return b if a is ABSENT else a
        return self._pick(name, base, a, b)

    def _tags(self):
        base, a, b = ({tag.casefold(): tag for tag in reversed(side.get("tags", [])) if tag.casefold() != TRASH}
                      for side in (self.base, self.a, self.b))
        first, second = (self.a, self.b) if self.a_wins else (self.b, self.a)
        result = []
        for tag in [*first.get("tags", []), *second.get("tags", [])]:
            key = tag.casefold()
            if key == TRASH or any(key == other.casefold() for other in result):
                continue
            gone = key in base and not (key in a and key in b)
            if gone and switches.on("tag-removal"):
                continue
            spellings = [side[key] for side in ((a, b) if self.a_wins else (b, a)) if key in side]
            changed = [spelling for spelling in spellings if spelling != base.get(key)]
            result.append((changed or spellings)[0])
        had = "tags" in self.a or "tags" in self.b
        return result if had else ABSENT

    def _annotations(self):
        base, a, b = ({note["id"]: note for note in side.get("annotations", [])} for side in (self.base, self.a, self.b))
        first, second = (a, b) if self.a_wins else (b, a)
        result = []
        for key in self._names(first, second):
            old, one, two = base.get(key, ABSENT), a.get(key, ABSENT), b.get(key, ABSENT)
            if ABSENT in (one, two) and old is not ABSENT:
                kept = two if one is ABSENT else one
                if kept != old:
                    result.append(kept)
                continue
            value = self._pick("annotations." + key, old, one, two) if ABSENT not in (one, two) else (two if one is ABSENT else one)
            result.append(value)
        return result if "annotations" in self.a or "annotations" in self.b else ABSENT

    def _trash(self):
        """Both marks are one state. Restoring wins over trashing; an edit of the other side lets the days begin again."""
        base, a, b = (trashed(side) for side in (self.base, self.a, self.b))
        state = a if b == base else b if a == base else a and b
        if not state:
            return {"trashedAt": ABSENT}
        times = [side["trashedAt"] for side in (self.a, self.b) if "trashedAt" in side]
        time = max(times) if times else ABSENT
        if a != b and any(edited(self.base, side) for side in ((self.b,) if a else (self.a,))):
            time = max(self.a.get("updatedAt", 0), self.b.get("updatedAt", 0)) + 1
        return {"trashedAt": time}

    def _unit(self, unit, names):
        base, a, b = (tuple(side.get(name, ABSENT) for name in names) for side in (self.base, self.a, self.b))
        if not switches.on("whole-units"):
            picked = tuple(self._pick(name, *values, quiet=True) for name, *values in zip(names, base, a, b))
            self.units[unit] = None
            return dict(zip(names, picked))
        if a == b or b == base:
            chosen = "a"
        elif a == base:
            chosen = "b"
        else:
            chosen = "a" if self._unit_order(unit, self.a) >= self._unit_order(unit, self.b) else "b"
            if self._unit_order(unit, self.a) == self._unit_order(unit, self.b):
                chosen = "a" if self.a_wins else "b"
            if unit == "ai":
                winner, loser = (a, b) if chosen == "a" else (b, a)
                self.conflicts.append((unit, _plain(base), _plain(winner), _plain(loser)))
        self.units[unit] = (chosen, a != base and b != base and a != b)
        return dict(zip(names, a if chosen == "a" else b))

    def _unit_order(self, unit, side):
        if unit == "page":
            return RANK.get(side.get("archiveStatus"), 0), side.get("archivedAt", 0)
        if unit == "ai":
            return side.get("aiUpdatedAt", 0), ""
        return side.get("updatedAt", 0), ""

    def _deletion(self, merged):
        """A small file that one side deleted and the other changed comes back whole."""
        base, a, b = ("deletedAt" in side for side in (self.base, self.a, self.b))
        if not (a or b):
            return {}
        if a != b:
            other = self.b if a else self.a
            if base or edited(self.base, other):
                return {name: other.get(name, ABSENT) for name in {**merged, **other} if name != "updatedAt"}
        return {"deletedAt": max(side["deletedAt"] for side in (self.a, self.b) if "deletedAt" in side)}


def _plain(values):
    return [None if value is ABSENT else value for value in values]


def trashed(members):
    """Whether an item has either mark."""
    return "trashedAt" in members


def edited(base, side):
    """Whether anything but times and the marks of the trash differs."""
    skip = {"updatedAt", "trashedAt", "deletedAt"}
    return {k: v for k, v in base.items() if k not in skip} != {k: v for k, v in side.items() if k not in skip}

"""Three-way merge of the members of item.json (rules 6 to 9)."""

import functools
import unicodedata

import canonical
import crossed
import switches
import times

ABSENT = object()
# One value for each group (rule 9).
UNITS = {
    "page": ("archiveStatus", "capturedBy", "archiveReason", "archivedAt", "htmlRelativePath"),
    "document": ("documentRelativePath", "documentName", "documentSHA256"),
    "check": ("linkStatus", "linkStatusEvidence", "lastCheckedDate"),
    "ai": ("aiSummary", "aiArtifacts", "aiModelID", "aiUpdatedAt"),
}
# The later side wins, and nobody asks for the other value (rule 6).
QUIET = {"sortOrder", "favicon", "archiveAttempts", "stateSHA256", "stateUpdatedAt"}
RANK = {"failed": 1, "partial": 2, "full": 3}
TRASH = "trashcan"


@functools.lru_cache(maxsize=100_000)
def tag_key(tag):
    """What tags are compared by (FORMAT.md § 5.7). Each scalar is put into lower case alone."""
    lower = "".join(scalar.lower() for scalar in " ".join(tag.split()))
    return lower if len(lower.encode()) > 254 else unicodedata.normalize("NFC", lower)


def tag_list(members):
    """The tags; [] without any, None where the value is no list of strings."""
    tags = members.get("tags")
    if tags is None:
        return []
    return tags if isinstance(tags, list) and all(isinstance(tag, str) for tag in tags) else None


def note_list(members):
    notes = members.get("annotations")
    return [] if notes is None else notes if isinstance(notes, list) else None


def note_key(note):
    """A note's id; a note without one is known by its whole value."""
    if isinstance(note, dict) and isinstance(note.get("id"), str):
        return note["id"]
    return canonical.encode(note).decode()


class Merge:
    """One merge: `a` and `b` are members; a_wins says whose value stands where both changed. `others` says whether a side
    changed the text or a file, `edits` what each side's versions did where histories crossed."""

    def __init__(self, base, a, b, a_wins, others=(False, False), edits=crossed.NOTHING):
        self.base, self.a, self.b, self.a_wins, self.others, self.edits = base, a, b, a_wins, others, edits
        self.conflicts = []
        self.units = {}

    def run(self):
        done = {name for unit in UNITS.values() for name in unit} | {"tags", "trashedAt", "deletedAt", "updatedAt", "createdAt",
                                                                     "annotations", "id"}
        first, second = (self.a, self.b) if self.a_wins else (self.b, self.a)
        merged = {"id": first.get("id", second.get("id", ABSENT)), "createdAt": self._earliest("createdAt")}
        merged["tags"] = self._tags()
        merged["annotations"] = self._annotations()
        merged["trashedAt"] = self._trashed_at()
        for unit, names in UNITS.items():
            merged.update(self._unit(unit, names))
        merged["updatedAt"] = self._time()
        for name in self._names(first, second, self.base):
            if name not in done:
                merged[name] = self._value(name, *self._values(name), self._reader(name))
        merged.update(self._deletion(merged))
        # The order of the winner, then what only the other has, in its order.
        result = {}
        for name in [*self._names(first, second), "updatedAt"]:
            if merged.get(name, ABSENT) is not ABSENT:
                result[name] = merged[name]
        return result

    def _updated(self):
        return max(times.instant(side.get("updatedAt")) or 0 for side in (self.a, self.b))

    def _like(self, milliseconds):
        return times.like(milliseconds, *(side.get(name) for side in (self.a, self.b) for name in ("updatedAt", "createdAt", "trashedAt")))

    def _time(self):
        """Later than both, and hardly ever that of another merge: arrived bytes are known by their time (rule 3)."""
        both = sorted(canonical.encode(side) for side in (self.a, self.b))
        return self._like(self._updated() + 1 + int(canonical.sha(b"".join(both))[:8], 16) % 997)

    @staticmethod
    def _names(*objects):
        return list(dict.fromkeys(name for members in objects for name in members))

    def _earliest(self, name):
        """The earlier time; of two spellings of one instant the smaller bytes. What is no time loses against a time."""
        one, two = self.a.get(name, ABSENT), self.b.get(name, ABSENT)
        first, second = times.instant(one), times.instant(two)
        if first is None and second is None:
            return self._pick(name, *self._values(name), read=self._reader(name))
        if None in (first, second):
            return two if first is None else one
        return min((first, canonical.encode(one), one), (second, canonical.encode(two), two))[2]

    def _values(self, name):
        return tuple(side.get(name, ABSENT) for side in (self.base, self.a, self.b))

    @staticmethod
    def _reader(name):
        """What gives the field of the content of any version."""
        return lambda content: content.fields.get(name, ABSENT)

    def _pick(self, name, base, a, b, quiet=False, read=None):
        """A scalar or an array: who changed it; both: the winner, and the loser is a conflict. A stale value is no change."""
        stale = read and self.edits.stale(a, b, read)
        if stale:
            return b if stale == "a" else a
        if a == b:
            return a
        if quiet or name in QUIET or not (read and self.edits.held(base, a, b, read)):
            if b == base:
                return a
            if a == base:
                return b
        winner, loser = (a, b) if self.a_wins else (b, a)
        if not quiet and name not in QUIET:
            self.conflicts.append((name, *(None if value is ABSENT else value for value in (base, winner, loser))))
        return winner

    def _value(self, name, base, a, b, read):
        if not switches.on("unknown-keys") and name.startswith("x-"):
            return a if self.a_wins else b
        if isinstance(a, dict) and isinstance(b, dict) and switches.on("unknown-keys"):
            old = base if isinstance(base, dict) else {}
            first, second = (a, b) if self.a_wins else (b, a)
            merged = {key: self._value(name + "." + key, old.get(key, ABSENT), a.get(key, ABSENT), b.get(key, ABSENT), _inner(read, key))
                      for key in self._names(first, second, old)}
            return {key: value for key, value in merged.items() if value is not ABSENT}
        if a is ABSENT and isinstance(b, dict) or b is ABSENT and isinstance(a, dict):
            # The object was removed here and changed there: the change wins, as for paragraphs.
            if base is not ABSENT and a != base and b != base and not self.edits.stale(a, b, read):
                return b if a is ABSENT else a
        return self._pick(name, base, a, b, read=read)

    def _tags(self):
        lists = [tag_list(side) for side in (self.base, self.a, self.b)]
        if None in lists[1:]:
            return self._pick("tags", *self._values("tags"), read=self._reader("tags"))
        if self.a.get("tags") is None and self.b.get("tags") is None:
            return ABSENT
        base, a, b = ({tag_key(tag): tag for tag in reversed(tags or [])} for tags in lists)
        first, second = (lists[1], lists[2]) if self.a_wins else (lists[2], lists[1])
        result, done, in_trash = [], set(), self._in_trash()
        for tag in [*first, *second]:
            key = tag_key(tag)
            if key in done:
                continue
            done.add(key)
            stale = key != TRASH and self.edits.stale(key in a, key in b, lambda content: key in tag_keys(content.fields), decides=False)
            if stale:
                if (stale == "a") == (key in a):
                    continue
            elif key in base and not (key in a and key in b) and switches.on("tag-removal"):
                continue
            if key == TRASH and not in_trash:
                continue
            spellings = [side[key] for side in ((a, b) if self.a_wins else (b, a)) if key in side]
            changed = [spelling for spelling in spellings if spelling != base.get(key)]
            result.append((changed or spellings)[0])
        return result

    def _annotations(self):
        lists = [note_list(side) for side in (self.base, self.a, self.b)]
        if None in lists[1:]:
            return self._pick("annotations", *self._values("annotations"), read=self._reader("annotations"))
        if self.a.get("annotations") is None and self.b.get("annotations") is None:
            return ABSENT
        base, a, b = ({note_key(note): note for note in reversed(notes or [])} for notes in lists)
        keys = [[note_key(note) for note in notes] for notes in lists[1:]]
        result = []
        for key in dict.fromkeys(keys[0] + keys[1] if self.a_wins else keys[1] + keys[0]):
            old, one, two = base.get(key, ABSENT), a.get(key, ABSENT), b.get(key, ABSENT)
            def read(content, key=key):
                return note_values(content.fields).get(key, ABSENT)

            stale = self.edits.stale(one, two, read)
            if stale:
                if (kept := two if stale == "a" else one) is not ABSENT:
                    result.append(kept)
                continue
            if ABSENT in (one, two):
                kept = two if one is ABSENT else one
                if kept != old or self.edits.held(old, one, two, read):
                    result.append(kept)
                continue
            result.append(self._pick("annotations." + key, old, one, two, read=read))
        return result

    def _in_trash(self):
        """Either mark puts an item into the trash. Restoring wins over trashing."""
        base, a, b = (trashed(side) for side in (self.base, self.a, self.b))
        stale = self.edits.stale(a, b, lambda content: trashed(content.fields), decides=False)
        if stale:
            return b if stale == "a" else a
        return a if a == b or b == base else b

    def _trashed_at(self):
        """The later time; an edit of the other side lets the days begin again."""
        given = [side["trashedAt"] for side in (self.a, self.b) if side.get("trashedAt") is not None]
        if not self._in_trash() or not given:
            return ABSENT
        a, b = trashed(self.a), trashed(self.b)
        if a != b and (self.others[1] or edited(self.base, self.b) if a else self.others[0] or edited(self.base, self.a)):
            return self._like(self._updated() + 1)
        return latest(given)

    def _unit(self, unit, names):
        base, a, b = (tuple(side.get(name, ABSENT) for name in names) for side in (self.base, self.a, self.b))
        if not switches.on("whole-units"):
            picked = tuple(self._pick(name, *values, quiet=True) for name, *values in zip(names, base, a, b))
            self.units[unit] = None
            return dict(zip(names, picked))
        def read(content):
            return tuple(content.fields.get(name, ABSENT) for name in names)

        # Of the other units the loser is in no conflict: nobody would be told.
        stale, held = self.edits.stale(a, b, read), unit == "ai" and self.edits.held(base, a, b, read)
        if stale:
            chosen = "b" if stale == "a" else "a"
        elif a == b or b == base and not held:
            chosen = "a"
        elif a == base and not held:
            chosen = "b"
        else:
            chosen = "a" if self._unit_order(unit, self.a) >= self._unit_order(unit, self.b) else "b"
            if self._unit_order(unit, self.a) == self._unit_order(unit, self.b):
                chosen = "a" if self.a_wins else "b"
            if unit == "ai":
                winner, loser = (a, b) if chosen == "a" else (b, a)
                self.conflicts.append((unit, _plain(base), _plain(winner), _plain(loser)))
        self.units[unit] = (chosen, bool(stale) or held or a != base and b != base and a != b)
        return dict(zip(names, a if chosen == "a" else b))

    def _unit_order(self, unit, side):
        name = {"page": "archivedAt", "document": "updatedAt", "check": "lastCheckedDate", "ai": "aiUpdatedAt"}[unit]
        status = side.get("archiveStatus")
        rank = RANK.get(status, 0) if unit == "page" and isinstance(status, str) else 0
        return rank, times.instant(side.get(name)) or 0

    def _deletion(self, merged):
        """A small file that one side deleted and the other changed comes back whole."""
        base, a, b = (side.get("deletedAt") is not None for side in (self.base, self.a, self.b))
        if not (a or b):
            return {}
        if a != b:
            other = self.b if a else self.a
            if base or edited(self.base, other):
                return {name: other.get(name, ABSENT) for name in {**merged, **other} if name != "updatedAt"}
        return {"deletedAt": latest([side["deletedAt"] for side in (self.a, self.b) if side.get("deletedAt") is not None])}


def _inner(read, key):
    """What gives a key of the object that `read` gives."""
    def inner(content):
        value = read(content)
        return value.get(key, ABSENT) if isinstance(value, dict) else ABSENT
    return inner


def tag_keys(members):
    return {tag_key(tag) for tag in tag_list(members) or []}


def note_values(members):
    return {note_key(note): note for note in reversed(note_list(members) or [])}


def _plain(values):
    return [None if value is ABSENT else value for value in values]


def latest(values):
    """The value with the latest instant; of equal ones the larger bytes."""
    return max(values, key=lambda value: (-(1 << 63) if times.instant(value) is None else times.instant(value), canonical.encode(value)))


def trashed(members):
    """Whether an item has either mark."""
    return members.get("trashedAt") is not None or any(tag_key(tag) == TRASH for tag in tag_list(members) or [])


def edited(base, side):
    """Whether anything but times and the marks of the trash differs."""
    skip = {"updatedAt", "trashedAt", "deletedAt"}
    if None not in (tag_list(base), tag_list(side)):
        if [t for t in tag_list(base) if tag_key(t) != TRASH] != [t for t in tag_list(side) if tag_key(t) != TRASH]:
            return True
        skip = skip | {"tags"}
    return {k: v for k, v in base.items() if k not in skip} != {k: v for k, v in side.items() if k not in skip}

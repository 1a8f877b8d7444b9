"""Two states of a file of collections/, tags/ or smart/, joined key by key (FORMAT.md § 9, § 9.2).

Made from FORMAT.md alone.
"""

import hashlib
import re

import reader

ORDER = ("name", "query", "colour", "icon", "order")
REMOVED = hashlib.sha256(b"").hexdigest()
_HASH8 = re.compile("[0-9a-f]{8}")
_NEVER = -1 << 62


class Key:
    """A key that has a value, or had one: the value's bytes on one line, None if it was removed."""

    def __init__(self, value, line, at, former=(), of_file=False):
        self.value, self.line, self.at, self.of_file = value, line, at, of_file
        self.former = sorted({mark for mark in former if mark[0] < at}, reverse=True)[:4]

    def sha256(self):
        return REMOVED if self.line is None else hashlib.sha256(self.line).hexdigest()

    def mark(self):
        return (self.at, self.sha256()[:8])

    def same(self, other):
        return other is not None and (self.line, self.at, self.former) == (other.line, other.at, other.former)


def one_line(value):
    """A value in canonical JSON, without white space between its tokens."""
    if value.kind == "object":
        return "{%s}" % ",".join(reader.write_string(m.key) + ":" + one_line(m.value) for m in value.value)
    if value.kind == "array":
        return "[%s]" % ",".join(map(one_line, value.value))
    return reader.write_value(value)


def entry(text):
    """The marks of an entry; None for one of another form."""
    words, marks = text.split(" "), []
    if len(words) % 2:
        return None
    for time, digits in zip(words[::2], words[1::2]):
        at = reader.parse_time(time)
        if at is None or time.startswith("9999-") or reader.write_time(at) != time or not _HASH8.fullmatch(digits):
            return None
        marks.append((at, digits))
    return marks


class State:
    def __init__(self, data, modified):
        self.data, self.modified = data, modified
        self.root = reader.Document(data).object()
        self.keys, self.updated = {}, None
        entries = {}
        changed = self.root.member("changedAt")
        for member in changed.value.value if changed is not None and changed.value.kind == "object" else []:
            marks = entry(member.value.value) if member.value.kind == "string" else None
            if marks and member.key.value not in ("changedAt", "updatedAt"):
                entries[member.key.value] = marks
        for member in self.root.value:
            name = member.key.value
            if name == "updatedAt":
                self.updated = member.value
            elif name != "changedAt":
                line = one_line(member.value).encode()
                self.keys[name] = self.key(member.value, line, entries.pop(name, None))
        for name, marks in entries.items():
            self.keys[name] = self.key(None, None, marks)

    def key(self, value, line, marks):
        changed = self.modified // 1_000_000
        if marks is None:
            return Key(value, line, changed, of_file=True)
        key = Key(value, line, marks[0][0], marks[1:])
        if key.mark() == marks[0]:
            return key
        return Key(value, line, max(changed, marks[0][0] + 1), [marks[0], *key.former])

    def text(self, name):
        member = self.root.member(name)
        return member.value.value if member is not None and member.value.kind == "string" else None

    def is_deletion(self):
        return self.text("deletedAt") is not None

    def time(self):
        """When the state was made, for a deletion."""
        updated = reader.parse_time(self.text("updatedAt") or "")
        return self.modified // 1_000_000 if updated is None else updated

    def outlives(self, deletion):
        """Whether a deletion did not see this state."""
        digest, seen = deletion.text("stateSHA256"), reader.parse_time(deletion.text("stateUpdatedAt") or "")
        if digest is None or not re.fullmatch("[0-9a-f]{64}", digest) or seen is None:
            return deletion.modified <= self.modified
        if hashlib.sha256(self.data).hexdigest() == digest:
            deleted = reader.parse_time(deletion.text("deletedAt"))
            return deleted is not None and self.time() > deleted
        return self.time() >= seen

    def explained(self, other):
        """Rule 1."""
        keys = dict(self.keys)
        for name, key in self.keys.items():
            theirs = other.keys.get(name)
            if key.of_file and theirs is not None:
                for at, digits in theirs.former:
                    if digits == key.mark()[1]:
                        keys[name] = Key(key.value, key.line, min(at, key.at))
                        break
        return keys


def _place(name):
    return (ORDER.index(name) if name in ORDER else len(ORDER), name.encode("utf-8", "surrogatepass"))


def _later(one, two):
    """Rule 2."""
    if one is None or two is None:
        return one or two
    def rank(key):
        return (key.at, key.line is not None, key.sha256())
    winner = max((one, two), key=rank)
    return Key(winner.value, winner.line, winner.at, one.former + two.former)


def _later_update(one, two):
    """Rule 3."""
    if one is None or two is None:
        return one or two
    def rank(value):
        at = reader.parse_time(value.value) if value.kind == "string" else None
        return (_NEVER if at is None else at, hashlib.sha256(one_line(value).encode()).hexdigest())
    return max((one, two), key=rank)


def join(one, two):
    """The bytes, the modification time and the lost keys."""
    if one.is_deletion() or two.is_deletion():
        if one.is_deletion() and two.is_deletion():
            newer = max((one, two), key=lambda state: (state.modified, hashlib.sha256(state.data).hexdigest()))
            return newer.data, newer.modified, []
        deletion, state = (one, two) if one.is_deletion() else (two, one)
        data = state.data if state.outlives(deletion) else deletion.data
        return data, max(one.modified, two.modified), []
    first, second = one.explained(two), two.explained(one)
    keys = {name: _later(first.get(name), second.get(name)) for name in {**first, **second}}
    updated = _later_update(one.updated, two.updated)
    names = sorted(keys, key=_place)
    lost = [name for name in names if any(
        old is not None and old.line is not None and old.line != keys[name].line and old.mark() not in keys[name].former
        for old in (first.get(name), second.get(name)))]
    def is_all(state):
        return (set(state.keys) == set(keys) and all(keys[name].same(state.keys[name]) for name in keys)
                and (updated is None) == (state.updated is None)
                and (updated is None or one_line(updated) == one_line(state.updated)))
    whole = [state for state in (one, two) if is_all(state)]
    if whole:
        state = max(whole, key=lambda state: hashlib.sha256(state.data).hexdigest())
        return state.data, state.modified, lost
    values = {name: key.value for name, key in keys.items() if key.value is not None}
    if updated is not None:
        values["updatedAt"] = updated
    members = [reader.Member(reader.string(name), values[name]) for name in sorted(values, key=_place)]
    times = [reader.Member(reader.string(name), reader.string(" ".join(
        "%s %s" % (reader.write_time(at), digits) for at, digits in [keys[name].mark(), *keys[name].former])))
        for name in names]
    members.append(reader.Member(reader.string("changedAt"), reader.Value("object", times)))
    return reader.canonical(reader.Value("object", members)), max(one.modified, two.modified), lost

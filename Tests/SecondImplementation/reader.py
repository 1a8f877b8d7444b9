#!/usr/bin/env python3
"""Reads a StuffBucket library. Written from FORMAT.md alone (§ 1 to § 23), and DeviceFiles.md § D2.

Usage: reader.py LIBRARY

Prints one JSON object per item and line, sorted by id.
"""

import ctypes
import hashlib
import json
import os
import re
import stat
import sys
import time
import unicodedata

MIB = 1 << 20
ITEM_LIMIT = 16 * MIB        # § 20
OTHER_LIMIT = 1 * MIB
TEXT_LIMIT = 64 * MIB
TOMBSTONE_LIMIT = 16 * MIB
OWNER_LIMIT = 4096
NESTING_LIMIT = 64
DAY = 86_400_000             # milliseconds
FORMAT_VERSION = 1


# ---------------------------------------------------------------- § 1 text

_GAPS = re.compile(
    "[\x00-\x20\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")


def collapse(text):
    """§ 1: pieces between white space and control characters, joined by spaces."""
    return " ".join(piece for piece in _GAPS.split(text) if piece)


def lower(text):
    """§ 1: the full Lowercase_Mapping of each scalar value, without context."""
    return "".join(character.lower() for character in text)


def nfc(text):
    return unicodedata.normalize("NFC", text)


def is_control(character):
    return unicodedata.category(character) == "Cc"


def inbox_id(library, path, content, number):
    """§ 11.3: the id of an item from inbox/."""
    hashed = b"\0".join([library.encode(), path, hashlib.sha256(content).hexdigest().encode()])
    if number:
        hashed += b"\0" + str(number).encode()
    digits = bytearray(hashlib.sha256(hashed).digest()[:16])
    digits[6], digits[8] = digits[6] & 0x0F | 0x80, digits[8] & 0x3F | 0x80
    text = digits.hex()
    return "-".join([text[:8], text[8:12], text[12:16], text[16:20], text[20:]])


def hash8(data):
    return hashlib.sha256(data).hexdigest()[:8]


def hash16(data):
    return hashlib.sha256(data).hexdigest()[:16]


# ------------------------------------- extended grapheme clusters (UAX #29)

_PREPEND = frozenset([*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0xD4E,
                      0x110BD, 0x110CD, 0x111C2, 0x111C3, 0x1193F, 0x11941, 0x11A3A,
                      *range(0x11A84, 0x11A8A), 0x11D46, 0x11F02])
_NO_SPACING_MARK = frozenset([0x102B, 0x102C, 0x1038, *range(0x1062, 0x1065),
                              *range(0x1067, 0x106E), 0x1083, *range(0x1087, 0x108D),
                              0x108F, *range(0x109A, 0x109D), 0x1A61, 0x1A63, 0x1A64,
                              0xAA7B, 0xAA7D, 0x11720, 0x11721])
_LINKERS = frozenset([0x94D, 0x9CD, 0xACD, 0xB4D, 0xC4D, 0xD4D])
_CONSONANTS = [(0x915, 0x939), (0x958, 0x95F), (0x978, 0x97F), (0x995, 0x9B9),
               (0x9DC, 0x9DF), (0x9F0, 0x9F1), (0xA95, 0xAB9), (0xAF9, 0xAF9),
               (0xB15, 0xB39), (0xB5C, 0xB5F), (0xB71, 0xB71), (0xC15, 0xC39),
               (0xC58, 0xC5A), (0xD15, 0xD3A)]


def _break_class(character):
    """The Grapheme_Cluster_Break of a character, from what `unicodedata` tells.

    The standard library has no table for it: pictographs are taken by range.
    """
    code = ord(character)
    if character in "\r\n":
        return character
    if code == 0x200D:
        return "ZWJ"
    if code in _PREPEND:
        return "Prepend"
    if code == 0x200C or 0x1F3FB <= code <= 0x1F3FF or 0xFF9E <= code <= 0xFF9F \
            or 0xE0020 <= code <= 0xE007F or code in (0xE33, 0xEB3):
        return "Extend"
    category = unicodedata.category(character)
    if category in ("Mn", "Me") or category == "Mc" and code not in _NO_SPACING_MARK:
        return "Extend"
    if category in ("Cc", "Cf", "Zl", "Zp") or category == "Cn" and 0xE0000 <= code <= 0xE0FFF:
        return "Control"
    if 0x1F1E6 <= code <= 0x1F1FF:
        return "Regional"
    if 0x1100 <= code <= 0x115F or 0xA960 <= code <= 0xA97C:
        return "L"
    if 0x1160 <= code <= 0x11A7 or 0xD7B0 <= code <= 0xD7C6:
        return "V"
    if 0x11A8 <= code <= 0x11FF or 0xD7CB <= code <= 0xD7FB:
        return "T"
    if 0xAC00 <= code <= 0xD7A3:
        return "LVT" if (code - 0xAC00) % 28 else "LV"
    if 0x1F000 <= code <= 0x1FAFF or code in (0xA9, 0xAE, 0x203C, 0x2049, 0x2122, 0x2139) \
            or 0x2190 <= code <= 0x2BFF and category in ("So", "Sm") or code in (0x3030, 0x303D):
        return "Pictograph"
    return "Other"


def _joins_conjunct(cluster, character):
    """Rule GB9c: consonant, marks with a linker among them, consonant."""
    code = ord(character)
    if not any(first <= code <= last for first, last in _CONSONANTS):
        return False
    linked = False
    for earlier in reversed(cluster):
        if ord(earlier) in _LINKERS:
            linked = True
        elif _break_class(earlier) not in ("Extend", "ZWJ"):
            return linked and any(a <= ord(earlier) <= b for a, b in _CONSONANTS)
    return False


def _joins_pictograph(cluster):
    """Rule GB11: what stands before a pictograph is pictograph, marks, ZWJ."""
    rest = cluster[:-1]
    while rest and _break_class(rest[-1]) == "Extend":
        rest = rest[:-1]
    return bool(rest) and _break_class(rest[-1]) == "Pictograph"


def _joins(cluster, character):
    before, after = _break_class(cluster[-1]), _break_class(character)
    if before == "\r" and after == "\n":
        return True
    if before in ("\r", "\n", "Control") or after in ("\r", "\n", "Control"):
        return False
    if after in ("Extend", "ZWJ") or before == "Prepend":
        return True
    if before == "L" and after in ("L", "V", "LV", "LVT"):
        return True
    if before in ("LV", "V") and after in ("V", "T") or before in ("LVT", "T") and after == "T":
        return True
    if before == "Regional" and after == "Regional":
        flags = len(cluster) - len(cluster.rstrip("".join(map(chr, range(0x1F1E6, 0x1F200)))))
        return flags % 2 == 1
    if before == "ZWJ" and after == "Pictograph":
        return _joins_pictograph(cluster)
    return _joins_conjunct(cluster, character)


def graphemes(text):
    """The extended grapheme clusters of a text."""
    clusters = []
    for character in text:
        if clusters and _joins(clusters[-1], character):
            clusters[-1] += character
        else:
            clusters.append(character)
    return clusters


# ---------------------------------------------------------------- § 5.1 JSON

class JSONError(Exception):
    """A file that is not JSON as § 5.1 wants it, with line and column."""

    def __init__(self, reason, line=None, column=None):
        super().__init__(reason)
        self.reason, self.line, self.column = reason, line, column


class Value:
    """A JSON value with what is needed to write it as it was spelt (§ 5.2).

    `kind` is object, array, string, number, true, false or null. `value` is a list
    of `Member`, a list of `Value`, the text, or the number's spelling. `spelling` is
    that of a string that holds a lone surrogate, else None.
    """

    __slots__ = ("kind", "value", "spelling", "offset")

    def __init__(self, kind, value=None, spelling=None, offset=0):
        self.kind, self.value, self.spelling, self.offset = kind, value, spelling, offset

    def member(self, key):
        return next((m for m in self.value if m.key.value == key), None)

    def get(self, key):
        """The value of a key; None where it is absent or null (§ 5.4)."""
        member = self.member(key)
        return None if member is None or member.value.kind == "null" else member.value


class Member:
    __slots__ = ("key", "value")

    def __init__(self, key, value):
        self.key, self.value = key, value


def string(text):
    return Value("string", text)


_SPACE = re.compile("[ \t\n\r]*")
_PLAIN = re.compile("[^\"\\\\\x00-\x1f\ud800-\udfff]*")
_DIGITS = re.compile("[0-9]+")
_DIGITS_OR_MINUS = "-0123456789"
_WORD = re.compile("[A-Za-z]+")
_HEX = re.compile("[0-9A-Fa-f]{0,4}")
_HEX4 = re.compile("[0-9A-Fa-f]{4}")
_SHORT = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class Parser:
    """A parser for § 5.1. Bytes that are not UTF-8 stand as lone surrogates in `text`.

    A fault is placed at the first character that cannot stand where it stands. A key
    that is there twice is placed at its opening quote.
    """

    def __init__(self, data):
        self.text = data.decode("utf-8", "surrogateescape")
        self.at = 1 if self.text.startswith("\ufeff") else 0

    def place(self, offset):
        """§ 5.1: the line and the column of an offset, both counted from 1."""
        return (self.text.count("\n", 0, offset) + 1,
                offset - self.text.rfind("\n", 0, offset))

    def fail(self, reason, offset=None):
        offset = self.at if offset is None else offset
        if offset < len(self.text) and "\ud800" <= self.text[offset] <= "\udfff":
            reason = "bytes that are not UTF-8"
        raise JSONError(reason, *self.place(offset))

    def skip_space(self):
        self.at = _SPACE.match(self.text, self.at).end()

    def peek(self):
        return self.text[self.at:self.at + 1]

    def document(self):
        self.skip_space()
        value = self.value(1)
        self.skip_space()
        if self.at < len(self.text):
            self.fail("something behind the value")
        return value

    def value(self, depth):
        start, first = self.at, self.peek()
        if first == "{":
            return self.object(depth)
        if first == "[":
            return self.array(depth)
        if first == '"':
            return self.string()
        if first in _DIGITS_OR_MINUS and first:
            return self.number()
        word = _WORD.match(self.text, start)
        if word and word.group() in ("true", "false", "null"):
            self.at = word.end()
            return Value(word.group(), offset=start)
        return self.fail("no value")

    def number(self):
        start = self.at
        if self.peek() == "-":
            self.at += 1
        if self.peek() == "0":
            self.at += 1
        else:
            self.digits()
        if self.peek() == ".":
            self.at += 1
            self.digits()
        if self.peek() in ("e", "E"):
            self.at += 1
            if self.peek() in ("+", "-"):
                self.at += 1
            self.digits()
        return Value("number", self.text[start:self.at], offset=start)

    def digits(self):
        digits = _DIGITS.match(self.text, self.at)
        if not digits:
            self.fail("no digit")
        self.at = digits.end()

    def enter(self, depth):
        if depth > NESTING_LIMIT:
            self.fail("nested too deeply")
        self.at += 1
        self.skip_space()

    def object(self, depth):
        start, members, keys = self.at, [], set()
        self.enter(depth)
        if self.peek() == "}":
            self.at += 1
            return Value("object", members, offset=start)
        while True:
            if self.peek() != '"':
                self.fail("no key")
            key = self.string()
            if key.value in keys:
                self.fail("a key twice", key.offset)
            keys.add(key.value)
            self.skip_space()
            if self.peek() != ":":
                self.fail("no colon")
            self.at += 1
            self.skip_space()
            members.append(Member(key, self.value(depth + 1)))
            if self.ends("}"):
                return Value("object", members, offset=start)

    def array(self, depth):
        start, elements = self.at, []
        self.enter(depth)
        if self.peek() == "]":
            self.at += 1
            return Value("array", elements, offset=start)
        while True:
            elements.append(self.value(depth + 1))
            if self.ends("]"):
                return Value("array", elements, offset=start)

    def ends(self, bracket):
        self.skip_space()
        if self.peek() not in (",", bracket) or self.at == len(self.text):
            self.fail("no comma and no " + bracket)
        end = self.peek() == bracket
        self.at += 1
        if not end:
            self.skip_space()
        return end

    def string(self):
        start, pieces, lone = self.at, [], False
        self.at += 1
        while True:
            plain = _PLAIN.match(self.text, self.at)
            pieces.append(plain.group())
            self.at = plain.end()
            if self.peek() == '"':
                self.at += 1
                break
            if self.peek() != "\\":
                self.fail("a string that does not end" if self.at == len(self.text)
                          else "a control character in a string")
            piece = self.escape()
            lone = lone or piece is None
            pieces.append("\ufffd" if piece is None else piece)
        spelling = self.text[start:self.at] if lone else None
        return Value("string", "".join(pieces), spelling, start)

    def escape(self):
        """The character of an escape; None for a lone surrogate."""
        letter = self.text[self.at + 1:self.at + 2]
        if letter in _SHORT and letter:
            self.at += 2
            return _SHORT[letter]
        unit = self.unit()
        if unit is None:
            digits = len(_HEX.match(self.text, self.at + 2).group())
            self.fail("an escape that is none", self.at + (2 + digits if letter == "u" else 1))
        self.at += 6
        if 0xD800 <= unit <= 0xDBFF:
            second = self.unit()
            if second is not None and 0xDC00 <= second <= 0xDFFF:
                self.at += 6
                return chr(0x10000 + ((unit - 0xD800) << 10) + second - 0xDC00)
        return None if 0xD800 <= unit <= 0xDFFF else chr(unit)

    def unit(self):
        if self.text[self.at:self.at + 2] != "\\u":
            return None
        digits = _HEX4.match(self.text, self.at + 2)
        return int(digits.group(), 16) if digits else None


class Document:
    """A parsed JSON file: its root, and where values stand in it."""

    def __init__(self, data, limit=OTHER_LIMIT):
        if len(data) > limit:
            raise JSONError("larger than %d bytes" % limit)
        self.data = data
        self._parser = Parser(data)
        self.root = self._parser.document()

    def place(self, value):
        return self._parser.place(value.offset)

    def object(self):
        if self.root.kind != "object":
            raise JSONError("the root is no object", *self.place(self.root))
        return self.root


# ------------------------------------------------------------ § 5.2 canonical

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f",
            "\r": "\\r"}
_TO_ESCAPE = re.compile('["\\\\\x00-\x1f\x7f]')


def write_string(value):
    if value.spelling is not None:
        return value.spelling
    return '"%s"' % _TO_ESCAPE.sub(
        lambda m: _ESCAPES.get(m.group()) or "\\u%04x" % ord(m.group()), value.value)


def write_value(value, indent=""):
    """§ 5.2, without the LF at the end."""
    if value.kind == "string":
        return write_string(value)
    if value.kind == "number":
        return value.value
    if value.kind not in ("object", "array"):
        return value.kind
    brackets = "{}" if value.kind == "object" else "[]"
    if not value.value:
        return brackets
    deeper = indent + "  "
    lines = [deeper + _write_part(part, deeper) for part in value.value]
    return brackets[0] + "\n" + ",\n".join(lines) + "\n" + indent + brackets[1]


def _write_part(part, indent):
    if isinstance(part, Member):
        return write_string(part.key) + ": " + write_value(part.value, indent)
    return write_value(part, indent)


def canonical(root):
    return (write_value(root) + "\n").encode("utf-8")


# -------------------------------------------------------------- § 8.7 versions

class NoVersion(Exception):
    """A file in history/ that is no version."""


_HASH = re.compile("[0-9a-f]{64}")


class Version:
    """What an item was, and which versions it came from."""

    def __init__(self, name, data):
        if hashlib.sha256(data).hexdigest() != name:
            raise NoVersion("its bytes have another hash")
        try:
            root = Document(data, 64 << 20).object()
        except JSONError as error:
            raise NoVersion(error.reason) from error
        self.name, self.data = name, data
        self.parents = sorted({self._hash(value) for value in self._list(root, "parents", True)})
        item = root.member("item")
        if item is None or item.value.kind != "object":
            raise NoVersion("item")
        self.item = item.value
        text = root.member("text")
        self.text = None if text is None else self._hash(text.value)
        self.files = [self._file(value) for value in self._list(root, "files")]
        self.resolved = [value.value for value in self._list(root, "resolved")]
        if any(value.kind != "string" for value in self._list(root, "resolved")):
            raise NoVersion("resolved")
        edited = root.member("edited")
        if edited is not None and edited.value.kind not in ("true", "false"):
            raise NoVersion("edited")
        self.edited = edited is not None and edited.value.kind == "true" and not self.parents

    @staticmethod
    def _list(root, key, required=False):
        member = root.member(key)
        if member is not None and member.value.kind == "array":
            return member.value.value
        if required or member is not None:
            raise NoVersion(key)
        return []

    @staticmethod
    def _hash(value):
        if value.kind != "string" or not _HASH.fullmatch(value.value):
            raise NoVersion("a hash")
        return value.value

    def _file(self, value):
        if value.kind != "object":
            raise NoVersion("files")
        path, digest, size = (value.get(key) for key in ("path", "sha256", "size"))
        if None in (path, digest, size) or path.kind != "string" or not re.fullmatch("-?[0-9]+", str(size.value)):
            raise NoVersion("files")
        return path.value, self._hash(digest), int(size.value)


# ---------------------------------------------------------------- § 5.8 times

_TIME = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
    r"(?:[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
    r"(?:[Zz]|([+-])([0-9]{2}):([0-9]{2})))?\Z")
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def _is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_since_1970(year, month, day):
    earlier = year - 1
    leaps = earlier // 4 - earlier // 100 + earlier // 400
    of_year = sum(_DAYS[:month - 1]) + (1 if month > 2 and _is_leap(year) else 0)
    return earlier * 365 + leaps + of_year + day - 1 - 719162


def _local_midnight(year, month, day):
    try:
        return int(time.mktime((year, month, day, 0, 0, 0, 0, 0, -1))) * 1000
    except (OverflowError, ValueError):
        return _days_since_1970(year, month, day) * DAY


def parse_time(text):
    """§ 5.8: milliseconds since 1970, or None for a fault."""
    match = _TIME.match(text)
    if not match:
        return None
    year, month, day = (int(match.group(i)) for i in (1, 2, 3))
    if not 1 <= month <= 12:
        return None
    if not 1 <= day <= _DAYS[month - 1] + (1 if month == 2 and _is_leap(year) else 0):
        return None
    if match.group(4) is None:
        return _local_midnight(year, month, day)
    hour, minute, second = (int(match.group(i)) for i in (4, 5, 6))
    ahead = int(match.group(9) or 0), int(match.group(10) or 0)
    if hour > 23 or minute > 59 or second > 60 or ahead[0] > 23 or ahead[1] > 59:
        return None
    offset = (ahead[0] * 60 + ahead[1]) * (-1 if match.group(8) == "-" else 1)
    seconds = (hour * 60 + minute - offset) * 60 + second
    fraction = int(((match.group(7) or "") + "000")[:3])
    return _days_since_1970(year, month, day) * DAY + seconds * 1000 + fraction


def write_time(instant):
    """§ 5.8: an instant as a writer writes it."""
    days, rest = divmod(instant, DAY)
    year = days // 366 + 1970 if days >= 0 else days // 365 + 1970
    while _days_since_1970(year + 1, 1, 1) <= days:
        year += 1
    left = days - _days_since_1970(year, 1, 1)
    month = 1
    while True:
        length = _DAYS[month - 1] + (1 if month == 2 and _is_leap(year) else 0)
        if left < length:
            break
        left, month = left - length, month + 1
    seconds, milliseconds = divmod(rest, 1000)
    return "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ" % (
        year, month, left + 1, seconds // 3600, seconds // 60 % 60, seconds % 60, milliseconds)


def bounded(instant, now):
    """§ 5.9."""
    return now if instant > now + DAY else instant


def now_milliseconds():
    return time.time_ns() // 1_000_000


# ----------------------------------------------------------------- § 3 names

_UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\Z")
_SHARD = re.compile(r"[0-9a-f]{2}\Z")
NIL = "00000000-0000-0000-0000-000000000000"


def is_uuid(text):
    """§ 3.1."""
    return bool(_UUID.match(text)) and text != NIL


def shard_of(identifier):
    return identifier[-2:].lower()


def time_in(identifier):
    """§ 3.1: the time in a version 7 id, else None."""
    return int(identifier.replace("-", "")[:12], 16) if identifier[14] == "7" else None


def is_temporary(name):
    """§ 3.3. The name is given as bytes."""
    return (name.startswith((b".", b"~$")) or name == b"4913"
            or name.endswith((b"~", b".tmp", b".part", b".partial", b".crdownload", b".swp"))
            or name.startswith(b"#") and name.endswith(b"#")
            or len(name) == 9 and name.startswith(b"sed") and b"." not in name
            or b".sync-conflict-" in name or b"conflicted copy" in name)


def copy_name(name, original):
    """§ 3.6: None if the name is not that of a conflict copy of this file, else whether its mark is certain."""
    name, original = name.encode("utf-8"), original.encode("utf-8")
    dot = original.rfind(b".")
    stem, ending = (original[:dot], original[dot:]) if dot > 0 else (original, b"")
    if len(name) <= len(original) or not name.startswith(stem) or not name.endswith(ending):
        return None
    mark = name[len(stem):len(name) - len(ending)]
    for form, is_certain in COPY_MARKS:
        if form.fullmatch(mark):
            return is_certain
    return None


COPY_MARKS = [(re.compile(form, re.DOTALL), is_certain) for form, is_certain in (
    (rb"(\.sync-conflict-|_conflict-).*", True),
    (rb"_.*Conflict", True),
    (rb"\.Conflict[0-9]*", True),
    (rb" \((?=.*[oO][nN][fF][lL][iI])(.*[0-9]{4}-[0-9]{2}-[0-9]{2}.*|.*(conflicted copy|Case Conflict).*|.*[0-9])\)", True),
    (rb" \(.*[oO][nN][fF][lL][iI].*\)", False),
    (rb" \(([0-9]+|.*[0-9]{4}-[0-9]{2}-[0-9]{2}.*)\)", False),
    (rb" [0-9]+", False),
    (rb"-(?=[A-Z0-9_-]{1,15}(-[0-9]+)?\Z)[0-9_-]*[A-Z][A-Z0-9_-]*", False))]


def is_ignored(name):
    """Whether a listed name is temporary or not UTF-8 (§§ 3.3, 7.1)."""
    data = os.fsencode(name)
    return is_temporary(data) or any("\ud800" <= c <= "\udfff" for c in name)


def stored_name(original):
    """§ 3.2: the name under which a document is stored, and its `documentName` or None."""
    text = original.decode("utf-8", "surrogateescape")
    name = "".join("_" if c == "/" or _is_odd(c) else c for c in text)
    if not name or is_temporary(name.encode("utf-8")):
        name = name.replace(".sync-conflict-", "_sync-conflict-")
        name = name.replace("conflicted copy", "conflicted_copy")
        name = next(n for n in ("_" + name, name + "_", "_" + name + "_")
                    if not is_temporary(n.encode("utf-8")))
    if len(name.encode("utf-8")) > 200:
        name = _cut_name(name)
    if name.encode("utf-8") == original:
        return name, None
    return name, "".join(_spell_bytes(c) if _is_odd(c) else c for c in text)


def _is_odd(character):
    return "\ud800" <= character <= "\udfff" or is_control(character)


def _spell_bytes(character):
    return "".join("\\x%02x" % byte for byte in character.encode("utf-8", "surrogateescape"))


def _cut_name(name):
    dot = name.rfind(".")
    extension = name[dot:] if dot > 0 else ""
    if len(extension.encode("utf-8")) > 20:
        extension = ""
    rest = graphemes(name[:len(name) - len(extension)])
    while rest and len(("".join(rest) + extension).encode("utf-8")) > 200:
        rest.pop()
    cut = "".join(rest) + extension
    if is_temporary(cut.encode("utf-8")):
        cut = "".join(graphemes(cut)[:-1]) + "_"
    return cut


def slug_name(name):
    """§ 3.4: the file's name for a collection, a tag or a smart folder."""
    data = nfc(lower(name)).encode("utf-8")
    slug = b"-".join(re.findall(b"[a-z0-9]+", data))[:40].decode("ascii")
    return (slug + "-" if slug else "") + hash8(data) + ".json"


# ---------------------------------------------------------------- § 5.6 links

_QUICK = re.compile(rb"https?://[^/?#\\:]", re.IGNORECASE)
_NOT_IN_LINK = re.compile(rb"[\x00-\x20\x7f]")
_TRIPLE = re.compile(rb"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_KEPT = _UNRESERVED | frozenset(b"!$&'()*+,;=:@/?")
_NOT_IN_HOST = re.compile("[\x00-\x20/?#@:\\[\\]\\\\<>^|%]")
_DOTS = re.compile("[.\u3002\uff0e\uff61]")


def passes_quick_look(link):
    data = link.encode("utf-8")
    return bool(_QUICK.match(data)) and not _NOT_IN_LINK.search(data)


def normal_form(link):
    """§ 5.6: the normal form of a link, or None."""
    parts = _link_parts(link)
    if parts is None:
        return None
    scheme, user, host, port, rest = parts
    rest, _, fragment = rest.partition(b"#")
    path, mark, query = rest.partition(b"?")
    authority = user + host.encode("utf-8") + (b":" + port if port else b"")
    return (scheme + b"://" + authority + _normal_path(path)
            + (mark + _percent_normal(query) if mark else b"")
            + (b"#" + _percent_normal(fragment) if fragment[:1] in (b"/", b"!") else b"")
            ).decode("utf-8", "replace")


def host_of(link):
    """The host of a link in its normal form, without user and port; None without one."""
    parts = _link_parts(link)
    return parts[2] if parts else None


def _link_parts(link):
    """Steps 1–5: scheme, user part with its `@`, host, port (empty if dropped), the rest."""
    data = link.encode("utf-8")
    scheme, colon, rest = data.partition(b":")
    scheme = scheme.lower()
    if _NOT_IN_LINK.search(data) or not colon or scheme not in (b"http", b"https") \
            or not rest.startswith(b"//"):
        return None
    authority = re.match(rb"[^/?#\\]*", rest[2:]).group()
    rest = rest[2 + len(authority):]
    user, at, host_and_port = authority.rpartition(b"@")
    host, port = _split_port(host_and_port)
    port, host = _normal_port(port, scheme), _normal_host(host)
    if port is None or host is None:
        return None
    return scheme, user + at, host, port, rest


def _split_port(text):
    colon = text.rfind(b":")
    if colon < 0 or colon < text.rfind(b"]"):
        return text, b""
    return text[:colon], text[colon + 1:]


def _normal_port(port, scheme):
    if not port:
        return b""
    if not re.fullmatch(rb"[0-9]+", port):
        return None
    digits = port.lstrip(b"0") or b"0"
    if len(digits) > 5 or int(digits) >= 65536:
        return None
    return b"" if digits == {b"http": b"80", b"https": b"443"}[scheme] else digits


def _normal_host(host):
    if not host:
        return None
    if host.startswith(b"["):
        return lower(host.decode("utf-8")) if host.endswith(b"]") else None
    try:
        text = _TRIPLE.sub(lambda m: bytes([int(m.group(1), 16)]), host).decode("utf-8")
    except UnicodeDecodeError:
        return None
    if _NOT_IN_HOST.search(text):
        return None
    if text.isascii():
        return text.lower()
    return ".".join(_normal_label(label) for label in _DOTS.split(lower(text)))


def _normal_label(label):
    label = nfc(label)
    return label if label.isascii() else "xn--" + label.encode("punycode").decode("ascii")


def _percent_normal(data):
    """The last paragraph but one of § 5.6."""
    result, at = bytearray(), 0
    while at < len(data):
        triple = _TRIPLE.match(data, at)
        if triple:
            byte = int(triple.group(1), 16)
            result += bytes([byte]) if byte in _UNRESERVED else b"%%%02X" % byte
            at += 3
            continue
        byte = data[at]
        result += bytes([byte]) if byte in _KEPT or byte == 0x25 else b"%%%02X" % byte
        at += 1
    return bytes(result)


def _normal_path(path):
    normal = _percent_normal(path)
    return _without_dots(normal if path.startswith(b"/") else b"/" + normal)


def _without_dots(path):
    """RFC 3986, section 5.2.4, for a path that begins with a slash."""
    output = []
    segments = path.split(b"/")[1:]
    for number, segment in enumerate(segments):
        last = number == len(segments) - 1
        if segment == b"..":
            del output[-1:]
        if segment not in (b".", b".."):
            output.append(segment)
        elif last:
            output.append(b"")
    return b"/" + b"/".join(output)


# ------------------------------------------------------- § 5.7 tags, collections

PREFIX = "collection:"


def same_tag_key(tag):
    """Two tags are the same if these are equal."""
    return unicodedata.normalize("NFD", lower(tag))


def collection_of(tag):
    """The name of the collection that a tag stands for, or None."""
    if tag[:len(PREFIX)].lower() != PREFIX or not tag[:len(PREFIX)].isascii():
        return None
    return collapse(tag[len(PREFIX):]) or None


def read_tag(tag):
    """A tag as a reader reads it."""
    tag = collapse(tag)
    name = collection_of(tag)
    return tag if name is None else PREFIX + name


def read_tags(texts):
    """The list of tags as a reader reads it, marks and collections included."""
    tags, seen = [], set()
    for tag in map(read_tag, texts):
        key = same_tag_key(tag)
        if tag and key not in seen:
            seen.add(key)
            tags.append(tag)
    return tags


def levels(name):
    """The levels of a collection's name."""
    result, at = [""], 0
    while at < len(name):
        if name[at] == "\\" and at + 1 < len(name):
            # A backslash belongs to the character after it.
            result[-1] += "/" if name[at + 1] == "/" else name[at:at + 2]
            at += 2
            continue
        if name[at] == "/":
            result.append("")
        else:
            result[-1] += name[at]
        at += 1
    return result


def is_trash_mark(tag):
    return same_tag_key(tag) == "trashcan"


# ------------------------------------------------------------ §§ 5.3, 5.4 fields

_TYPES = ("snippet", "link", "document")
FIELDS = {
    "id": "uuid", "type": _TYPES, "title": "string", "description": "string",
    "tags": "strings", "isPinned": "bool", "isFavorite": "bool", "sortOrder": "number",
    "textContent": "string", "annotations": "annotations", "linkURL": "url",
    "linkFormerURLs": "strings", "linkTitle": "string", "linkAuthor": "string", "linkSite": "string",
    "linkLanguage": "string", "linkPublishedDate": "time", "linkCanonicalURL": "url", "favicon": "path",
    "archiveStatus": ("pending", "full", "partial", "failed"),
    "capturedBy": ("browser", "fetch", "user"), "archiveReason": "string",
    "archiveAttempts": "count", "archivedAt": "time", "htmlRelativePath": "path",
    "linkStatus": ("valid", "dead", "unknown"), "linkStatusEvidence": "object",
    "lastCheckedDate": "time", "documentRelativePath": "path", "documentName": "string",
    "documentSHA256": "sha256", "source": "string", "sourceExternalID": "string",
    "sourceExternalIDs": "strings", "sourceFolderPath": "string", "sourceFileName": "string",
    "sourceFields": "object", "sourceValues": "object", "aiSummary": "string",
    "aiArtifacts": "any", "aiModelID": "string", "aiUpdatedAt": "time", "createdAt": "time",
    "updatedAt": "time", "trashedAt": "time",
}
ORDER = {key: rank for rank, key in enumerate(FIELDS)}


class Fault(Exception):
    """A value of another type than § 5.4 wants."""


def _typed(kind, convert=lambda value: value.value):
    def read(value):
        if value.kind != kind:
            raise Fault()
        return convert(value)
    return read


def _checked(test, result=lambda text: text):
    def read(value):
        if value.kind != "string" or not test(value.value):
            raise Fault()
        return result(value.value)
    return read


def _read_bool(value):
    if value.kind not in ("true", "false"):
        raise Fault()
    return value.kind == "true"


_NUMBER_PARTS = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?")


def _read_count(value):
    """A whole number from 0 on in any spelling; its value as the nearest binary64."""
    if value.kind != "number":
        raise Fault()
    minus, whole, fraction, exponent = _NUMBER_PARTS.fullmatch(value.value).groups("")
    digits = (whole + fraction).strip("0")
    trailing = len(whole + fraction) - len((whole + fraction).rstrip("0"))
    if digits and (minus or int(exponent or 0) + trailing < len(fraction)):
        raise Fault()
    return float(value.value)


def is_good_path(text):
    """§ 21.1: whether a path passes by its spelling."""
    return not (any(part in ("", ".", "..") for part in text.split("/"))
                or any(is_control(c) for c in text))


_READERS = {
    "string": _typed("string"),
    "bool": _read_bool,
    "number": _typed("number", lambda value: float(value.value)),
    "count": _read_count,
    "time": _checked(lambda text: parse_time(text) is not None, parse_time),
    "url": _checked(passes_quick_look),
    "path": _checked(is_good_path),
    "sha256": _checked(re.compile(r"[0-9A-Fa-f]{64}\Z").match, str.lower),
    "object": _typed("object"),
    "any": lambda value: value,
}


def _read_elements(kinds, value, faults):
    """The elements of an array that have one of the kinds; the others are faults."""
    if value.kind != "array":
        raise Fault()
    faults += [element for element in value.value if element.kind not in kinds]
    return [element for element in value.value if element.kind in kinds]


def read_field(kind, value, faults):
    """The value of a field as its type reads it. Elements at fault go to `faults`."""
    if kind == "strings":
        return [element.value for element in _read_elements(("string",), value, faults)]
    if kind == "annotations":
        return _read_elements(("string", "object"), value, faults)
    if isinstance(kind, tuple):
        word = _READERS["string"](value)
        return word if word in kind else None
    return _READERS[kind](value)


# ------------------------------------------------------------ § 21.2 opening

_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class Folder:
    """A folder that was opened without following a link."""

    def __init__(self, name, parent=None):
        flags = _FOLDER_FLAGS if parent else _FOLDER_FLAGS & ~os.O_NOFOLLOW
        self.fd = os.open(name, flags, dir_fd=parent.fd if parent else None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.fd)

    def folder(self, name):
        """A folder in this one, or None if there is none of that name."""
        try:
            return Folder(name, self)
        except OSError:
            return None

    def names(self):
        return sorted(os.listdir(self.fd), key=os.fsencode)

    def status(self, name):
        try:
            return os.stat(name, dir_fd=self.fd, follow_symlinks=False)
        except OSError:
            return None

    def is_regular(self, name):
        status = self.status(name)
        return status is not None and stat.S_ISREG(status.st_mode)

    def read(self, name, limit):
        """The bytes and the status of a regular file; None if it is none.

        Up to one byte more than the limit is read, so that the caller sees an excess.
        """
        try:
            descriptor = os.open(name, _FILE_FLAGS, dir_fd=self.fd)
        except OSError:
            return None
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            os.close(descriptor)
            return None
        with os.fdopen(descriptor, "rb") as file:
            return file.read(limit + 1), status


def folder_at(root, path):
    """The folder at a path of several names below an opened one, or None."""
    folder = Folder(".", root)
    for name in path.split("/"):
        with folder:
            deeper = folder.folder(name)
        if deeper is None:
            return None
        folder = deeper
    return folder


# ---------------------------------------------------------------- § D2 owner

class _StatxTime(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_int64), ("nanoseconds", ctypes.c_uint32),
                ("reserved", ctypes.c_int32)]


class _Statx(ctypes.Structure):
    _fields_ = [("mask", ctypes.c_uint32), ("head", ctypes.c_uint8 * 60),
                ("accessed", _StatxTime), ("born", _StatxTime),
                ("rest", ctypes.c_uint8 * 160)]


def birth_of(path):
    """§ D2: the time of birth in nanoseconds as a string; `0` where it is not told."""
    result = _Statx()
    try:
        failed = ctypes.CDLL(None, use_errno=True).statx(
            -100, os.fsencode(path), 0x100, 0x800, ctypes.byref(result))
    except AttributeError:
        return "0"
    if failed or not result.mask & 0x800:
        return "0"
    return str(result.born.seconds * 1_000_000_000 + result.born.nanoseconds)


def machine():
    """§ D2: what stands for this device."""
    try:
        with open("/etc/machine-id", "rb") as file:
            return hash16(b"sbfs owner " + file.read())
    except OSError:
        return ""


def adopted_time(library):
    """The time in .sbfs/owner; None if .sbfs is absent or foreign."""
    folder = os.path.join(library, ".sbfs")
    try:
        with Folder(library) as root, Folder(".sbfs", root) as own:
            data, _ = own.read("owner", OWNER_LIMIT) or (b"", None)
            inode = str(os.fstat(own.fd).st_ino)
        owner = Document(data, OWNER_LIMIT).object()
    except (OSError, JSONError):
        return None
    said = {}
    for key in ("machine", "inode", "birth", "adoptedAt"):
        value = owner.get(key)
        if value is None or value.kind != "string":
            return None
        said[key] = value.value
    if (said["machine"], said["inode"], said["birth"]) != (machine(), inode, birth_of(folder)):
        return None
    return parse_time(said["adoptedAt"])


# ------------------------------------------------------------ §§ 6, 7 text, document

def is_beside_item_file(name):
    """§ 7.3: what programs write beside the item's own files."""
    for stem, suffix in (("item", ".json"), ("text", ".md"), ("page", ".html"), ("reader", ".html")):
        rest = name[len(stem):]
        if name.startswith(stem) and (rest.startswith(suffix) or (
                rest.endswith(suffix) and rest[0] < "\x80" and not rest[0].isalnum())):
            return True
    return False


def is_loose(name):
    """§ 7.3, but for being a regular file."""
    return not (is_ignored(name) or name.startswith("favicon.") or is_beside_item_file(name) or is_lost_document(name) or name in (
        "item.json", "text.md", "page.html", "reader.html", "page.pdf", "page.png", "assets", "document",
        "snapshots", "history", "conflicts"))


def is_lost_document(name):
    """§ 7.1: whether a document of this name lost against another one."""
    return re.fullmatch(rb"(?s).+\.conflict-[0-9a-f]{8}(\..{0,19})?", os.fsencode(name)) is not None


def choose_document(promised, folder):
    """§ 7.1: the path of the document below the item's folder, or None."""
    with_name = promised is not None and promised.startswith("document/")
    name = promised[len("document/"):] if with_name else None
    documents = folder.folder("document")
    if documents is None:
        is_free = folder.status("document") is None
    else:
        with documents:
            if name and "/" not in name and documents.is_regular(name):
                return "document/" + name
            regular = [n for n in documents.names() if documents.is_regular(n)]
        is_free = not regular
        found = [n for n in regular if not is_ignored(n)]
        chosen = next((n for n in found if name and nfc(n) == nfc(name)), None)
        standing = [n for n in found if not is_lost_document(n)]
        if chosen is None and len(standing) == 1:
            chosen = standing[0]
        if chosen is not None:
            return "document/" + chosen
    if promised is not None or not is_free:
        return None
    return next((n for n in folder.names() if is_loose(n) and folder.is_regular(n)), None)


def title_line(text):
    """§ 5.4: the second choice for the display title, from the text's bytes."""
    head = text[:2048].decode("utf-8", "replace")
    if head.startswith("\ufeff"):
        head = head[1:]
    for line in re.split("[\n\r]", head):
        line = collapse(line)
        without = re.sub("^#+ ", "", line)
        if without.strip("# "):
            return "".join(graphemes(without)[:200])
    return ""


def display_title(title, text, link_title, document_name, file_name, link):
    """§ 5.4: the display title. Text is bytes; what is absent is None."""
    name = file_name if document_name is None else document_name
    choices = (lambda: collapse(title or ""), lambda: title_line(text or b""),
               lambda: collapse(link_title or ""), lambda: name,
               lambda: host_of(link) if link is not None else None)
    return next(filter(None, (choice() for choice in choices)), "Untitled")


def effective_time(updated, latest, adopted, now):
    """§ 5.9: the effective time from three times, of which two may be None."""
    latest = min(latest, now)
    if updated is None:
        return latest
    if latest <= updated + 2000 or adopted is not None and latest <= adopted:
        return bounded(updated, now)
    return latest


# ---------------------------------------------------------------- items

class NotAnItem(Exception):
    """A folder that must not be read as an item (§ 5.5), and the place of the reason."""

    def __init__(self, reason, line=None, column=None):
        super().__init__(reason)
        self.line, self.column = line, column


class Item:
    """An item as it was read. `folder` is relative to the library."""

    def __init__(self, identifier, shard, folder, adopted, now):
        self.id = identifier
        self.shard = shard
        data, self.status = folder.read("item.json", ITEM_LIMIT) or (None, None)
        if data is None:
            raise NotAnItem("no item.json that is a regular file")
        self.document_json = Document(data, ITEM_LIMIT)
        self.root = self.document_json.root
        self._check_identity()
        self._read_fields()
        self._read_text(folder)
        self._read_document(folder)
        self._read_page(folder)
        self._read_times(adopted, now)

    @property
    def path(self):
        return "items/%s/%s" % (self.shard, self.id)

    def _check_identity(self):
        """§ 5.5. A root that is no object and an `id` that is another are no item."""
        if self.root.kind != "object":
            raise NotAnItem("the root is no object", *self.document_json.place(self.root))
        said = self.root.get("id")
        if said is not None and (said.kind != "string" or said.value.lower() != self.id):
            raise NotAnItem("`id` contradicts the folder's name", *self.document_json.place(said))

    def _read_fields(self):
        """§§ 5.3, 5.4: `fields` has what can be read; `faults` places and keys."""
        self.fields, self.faults = {}, []
        for key, kind in FIELDS.items():
            value = None if key == "id" else self.root.get(key)
            if value is None:
                continue
            at_fault = []
            try:
                self.fields[key] = read_field(kind, value, at_fault)
            except Fault:
                at_fault = [value]
            self.faults += [(key,) + self.document_json.place(v) for v in at_fault]
        self.all_tags = read_tags(self.fields.get("tags") or [])

    def _read_text(self, folder):
        """§ 6: `text` is bytes, or None."""
        found = folder.read("text.md", TEXT_LIMIT)
        self.text, self.text_status = found or (None, None)
        if found is None:
            content = self.fields.get("textContent")
            self.text = None if content is None else content.encode("utf-8")
        elif len(self.text) > TEXT_LIMIT:
            self.text = None

    def _read_document(self, folder):
        path = choose_document(self.fields.get("documentRelativePath"), folder)
        self.document_path, self.document, self.document_status = path, None, None
        if path is not None:
            parent, _, self.document = path.rpartition("/")
            with folder_at(folder, parent or ".") as documents:
                self.document_status = documents.status(self.document)

    def _read_page(self, folder):
        """§ 8.5: whether the saved page is there."""
        self.has_page = folder.is_regular("page.html")
        path = self.fields.get("htmlRelativePath")
        if path is not None and not self.has_page:
            parent, _, name = path.rpartition("/")
            deeper = folder_at(folder, parent or ".")
            if deeper is not None:
                with deeper:
                    self.has_page = deeper.is_regular(name)

    @property
    def archive(self):
        """§ 8.5: how far what the link leads to is there, or None."""
        status = self.fields.get("archiveStatus")
        has_path = "htmlRelativePath" in self.fields
        if status in ("full", "partial"):
            is_there = self.has_page or not has_path and self.document is not None
            return status if is_there else "unavailable"
        if status is not None:
            return status
        if self.has_page:
            return "partial"
        if has_path:
            return "unavailable"
        return "live" if "linkURL" in self.fields else None

    @property
    def is_unavailable(self):
        """§ 8.5, of the page or the document."""
        lost = "documentRelativePath" in self.fields and self.document is None
        page = "htmlRelativePath" in self.fields and not self.has_page
        return lost or page or self.archive == "unavailable"

    def _read_times(self, adopted, now):
        """§ 5.9."""
        times = [s.st_mtime_ns // 1_000_000
                 for s in (self.status, self.text_status, self.document_status) if s]
        created = self.fields.get("createdAt")
        if created is None:
            created = time_in(self.id)
        if created is None:
            created = self.status.st_mtime_ns // 1_000_000
        self.created = bounded(created, now)
        self.updated = effective_time(self.fields.get("updatedAt"), max(times), adopted, now)

    @property
    def kind(self):
        """§ 5.4."""
        said = self.fields.get("type")
        if said:
            return said
        if "linkURL" in self.fields:
            return "link"
        return "document" if self.document is not None else "snippet"

    @property
    def tags(self):
        """The tags that are shown: without marks and collections."""
        return [t for t in self.all_tags if not is_trash_mark(t) and collection_of(t) is None]

    @property
    def collections(self):
        return [name for name in map(collection_of, self.all_tags) if name is not None]

    @property
    def marks(self):
        """§ 10: the two marks of the trash."""
        return any(map(is_trash_mark, self.all_tags)), "trashedAt" in self.fields

    @property
    def display_title(self):
        get = self.fields.get
        file_name = self.document
        if file_name is None:
            file_name = (get("documentRelativePath") or "").rstrip("/").rpartition("/")[2] or None
        return display_title(get("title"), self.text, get("linkTitle"), get("documentName"),
                             file_name, get("linkURL"))

    def row(self):
        return {
            "id": self.id, "kind": self.kind, "displayTitle": self.display_title,
            "tags": self.tags, "collections": self.collections, "isTrashed": any(self.marks),
            "createdAt": write_time(self.created), "updatedAt": write_time(self.updated),
            "document": self.document, "archive": self.archive,
            "isUnavailable": self.is_unavailable,
            "text": None if self.text is None else self.text.decode("utf-8", "replace"),
        }


# ---------------------------------------------------------------- § 4 library

class Refused(Exception):
    """A folder that is no library, or one of a newer format."""


def whole_number(value):
    """§ 4: a whole number spelt without fraction and exponent, else None."""
    if value is None or value.kind != "number" or not re.fullmatch("-?[0-9]+", value.value):
        return None
    return int(value.value)


class Library:
    """A library, read as it is on the disk at the time of the calls."""

    def __init__(self, path):
        self.path = os.path.abspath(path)
        self._read_settings()

    def _read_settings(self):
        try:
            with Folder(self.path) as root:
                data, _ = root.read("library.json", OTHER_LIMIT) or (None, None)
        except OSError as error:
            raise Refused(str(error))
        if data is None:
            raise Refused("no library.json")
        try:
            settings = Document(data).object()
        except JSONError as error:
            raise Refused("library.json: %s" % error)
        said = settings.get("id")
        self.format = whole_number(settings.get("format"))
        if self.format is None or self.format < 1:
            raise Refused("library.json: no format")
        if said is None or said.kind != "string" or not is_uuid(said.value):
            raise Refused("library.json: no id")
        self.min_reader = self._version(settings, "minReader")
        self.min_writer = self._version(settings, "minWriter")
        if self.min_reader > FORMAT_VERSION:
            raise Refused("the library is of a newer format")
        self.id = said.value.lower()
        self.settings = settings

    def _version(self, settings, key):
        number = whole_number(settings.get(key))
        return number if number is not None and number >= 1 else self.format

    def whole_setting(self, key, lowest, highest, default):
        number = whole_number(self.settings.get(key))
        return number if number is not None and lowest <= number <= highest else default

    @property
    def default_tags(self):
        value = self.settings.get("defaultTags")
        if value is None or value.kind != "array" or any(e.kind != "string" for e in value.value):
            return []
        return read_tags(e.value for e in value.value)

    def places(self):
        """§ 5.5: for each id the shards in which a folder of it holds an item.json."""
        found = {}
        with Folder(self.path) as root:
            items = root.folder("items")
            if items is None:
                return found
            with items:
                for shard in filter(_SHARD.match, items.names()):
                    folder = items.folder(shard)
                    if folder is not None:
                        with folder:
                            self._places_in(shard, folder, found)
        return found

    def _places_in(self, shard, folder, found):
        for name in folder.names():
            if not is_uuid(name) or name != name.lower():
                continue
            item = folder.folder(name)
            if item is not None:
                with item:
                    if item.status("item.json") is not None:
                        found.setdefault(name, []).append(shard)

    @staticmethod
    def chosen_place(identifier, shards):
        """§ 5.5: its own shard, else the lowest."""
        own = shard_of(identifier)
        return own if own in shards else min(shards)

    def read_item(self, identifier, shard, adopted):
        """The item in one place; raises NotAnItem or JSONError."""
        with Folder(self.path) as root:
            folder = folder_at(root, "items/%s/%s" % (shard, identifier))
            if folder is None:
                raise NotAnItem("no folder")
            with folder:
                return Item(identifier, shard, folder, adopted, now_milliseconds())

    def purge_of(self, identifier):
        """§ 10: the time in the tombstone of an item, or None, and the hashes of what the purge found."""
        with Folder(self.path) as root:
            folder = folder_at(root, "tombstones/" + shard_of(identifier))
            if folder is None:
                return None, set()
            with folder:
                data, _ = folder.read(identifier + ".json", TOMBSTONE_LIMIT) or (None, None)
        if data is None:
            return None, set()
        try:
            root = Document(data, TOMBSTONE_LIMIT).object()
        except JSONError:
            return None, set()
        value, hashes = root.get("purgedAt"), root.get("hashes")
        found = hashes.value if hashes is not None and hashes.kind == "array" else []
        return (parse_time(value.value) if value is not None and value.kind == "string" else None,
                {one.value for one in found if one.kind == "string" and _HASH.fullmatch(one.value)})

    def is_purged(self, item):
        """§ 10: whether a tombstone counts against an item."""
        if not all(item.marks):
            return False
        purged, hashes = self.purge_of(item.id)
        if purged is None or not hashes:
            return purged is not None and item.updated <= purged <= now_milliseconds() + DAY
        parts = [canonical(item.root)] + ([item.text] if item.text_status else [])
        return all(hashlib.sha256(part).hexdigest() in hashes for part in parts)

    def scan(self):
        """Items by id, and what could not be read: id, place and error."""
        items, failures = [], []
        adopted = adopted_time(self.path)
        for identifier, shards in sorted(self.places().items()):
            shard = self.chosen_place(identifier, shards)
            try:
                item = self.read_item(identifier, shard, adopted)
            except (NotAnItem, JSONError, OSError) as error:
                failures.append((identifier, shard, error))
                continue
            if not self.is_purged(item):
                items.append(item)
        return items, failures

    def items(self):
        return self.scan()[0]


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        items, failures = Library(arguments[0]).scan()
    except Refused as error:
        print("reader: %s" % error, file=sys.stderr)
        return 1
    for identifier, shard, error in failures:
        print("reader: items/%s/%s: %s" % (shard, identifier, error), file=sys.stderr)
    for item in items:
        print(json.dumps(item.row(), ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

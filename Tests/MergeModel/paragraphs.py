"""Three-way merge of texts, paragraph by paragraph (rule 10)."""

import bisect
import collections
import functools
import re

import switches

WORD = re.compile(r"[^ \t\r\n]+")


class Paragraph(str):
    """A run of lines that are not empty, without the end of the last one. Equal if its characters are, whatever follows it."""

    after = None      # the end of the last line and the empty lines after it; None for the last paragraph


class Text:
    """A text as its paragraphs, and what is before the first one and after the last one.

    A line ends at LF; a CR before it belongs to the end. A line of nothing but spaces, tabs and CR is empty. A byte order mark
    belongs to `head`.
    """

    def __init__(self, text):
        self.head, self.paragraphs, self.tail = text, [], ""
        start, runs = 1 if text.startswith("\ufeff") else 0, []
        is_inside = False
        for line in re.findall(r"[^\n]*\n|[^\n]+", text[start:]):
            if not line.strip(" \t\r\n"):
                is_inside = False
            else:
                body = line[:-2] if line.endswith("\r\n") else line[:-1] if line.endswith("\n") else line
                if is_inside:
                    runs[-1][1] = start + len(body)
                else:
                    runs.append([start, start + len(body)])
                is_inside = True
            start += len(line)
        for number, (begin, end) in enumerate(runs):
            paragraph = Paragraph(text[begin:end])
            if number + 1 < len(runs):
                paragraph.after = text[end:runs[number + 1][0]]
            self.paragraphs.append(paragraph)
        if runs:
            self.head, self.tail = text[:runs[0][0]], text[runs[-1][1]:]

    def border(self):
        """What is between two paragraphs where neither text says it: an empty line, with the line ends of this text."""
        first = self.paragraphs[0].after if self.paragraphs else None
        return "\r\n\r\n" if (self.tail if first is None else first).startswith("\r") else "\n\n"


def split(text):
    """The paragraphs of a text."""
    return tuple(Text(text).paragraphs)


CELLS = 4_000_000


@functools.lru_cache(maxsize=100_000)
def matches(a, b):
    """A longest common subsequence as pairs of indices. Of several, the one that takes the earliest pair from the front.

    Equal beginnings are paired at once. If the product of the other lengths exceeds CELLS, only what each side has once in its
    rest is aligned, and then the parts between that are small enough.
    """
    i = 0
    while i < min(len(a), len(b)) and a[i] == b[i]:
        i += 1
    pairs = [(k, k) for k in range(i)]
    if (len(a) - i) * (len(b) - i) <= CELLS:
        return tuple(pairs + _table(a, b, i, len(a), i, len(b)))
    one, two = (_single(side, i) for side in (a, b))
    j = i
    for k, m in [*_rising([(p, two[part]) for part, p in one.items() if part in two]), (len(a), len(b))]:
        if (k - i) * (m - j) <= CELLS:
            pairs += _table(a, b, i, k, j, m)
        if k < len(a):
            pairs.append((k, m))
        i, j = k + 1, m + 1
    return tuple(pairs)


def _table(a, b, i, i_end, j, j_end):
    """Dynamic programming from the ends."""
    rows, width = i_end - i, j_end - j
    if not rows or not width:
        return []
    length = [[0] * (width + 1) for _ in range(rows + 1)]
    for p in range(rows - 1, -1, -1):
        for q in range(width - 1, -1, -1):
            length[p][q] = length[p + 1][q + 1] + 1 if a[i + p] == b[j + q] else max(length[p + 1][q], length[p][q + 1])
    p = q = 0
    pairs = []
    while p < rows and q < width:
        if a[i + p] == b[j + q]:
            pairs.append((i + p, j + q))
            p, q = p + 1, q + 1
        elif length[p + 1][q] >= length[p][q + 1]:
            p += 1
        else:
            q += 1
    return pairs


def _single(parts, start):
    """The places of what occurs once from a place on, in order."""
    counts = collections.Counter(parts[start:])
    return {parts[p]: p for p in range(start, len(parts)) if counts[parts[p]] == 1}


def _rising(pairs):
    """The longest run of pairs that rises in both (patience sorting)."""
    tops, piles, below = [], [], []
    for number, (_, m) in enumerate(pairs):
        pile = bisect.bisect_left(tops, m)
        below.append(piles[pile - 1] if pile else None)
        tops[pile:pile + 1], piles[pile:pile + 1] = [m], [number]
    run, number = [], piles[-1] if piles else None
    while number is not None:
        run.append(pairs[number])
        number = below[number]
    return run[::-1]


def distance(a, b):
    """How many paragraphs differ between two texts: the larger of what was taken out and what was put in."""
    a, b = split(a), split(b)
    return max(len(a), len(b)) - len(matches(a, b))


WORDS, COMPARISONS = 64, 100_000


def alike(a, b):
    """Whether two paragraphs share half of the words of the longer one, in order. Only their first words are looked at."""
    a, b = (tuple(WORD.findall(text)[:WORDS]) for text in (a, b))
    return 2 * len(matches(a, b)) >= max(len(a), len(b))


class Side:
    """What one side did to the base: for each base paragraph None (kept), () (removed) or its replacement; and what it put
    before each of them."""

    def __init__(self, base, new):
        self.change = [None] * len(base)
        self.before = [[] for _ in range(len(base) + 1)]
        self.after, self.left, self.held = {}, COMPARISONS, set()
        self.known, self.written = set(base), set(new)
        i = j = 0
        for k, m in (*matches(base, new), (len(base), len(new))):
            self._block(base, new, i, k, j, m)
            if k < len(base):
                self.after[k] = new[m].after
            i, j = k + 1, m + 1
        self._find_moves(base)

    def _block(self, base, new, i, k, j, m):
        """Base paragraphs i..<k became new ones j..<m: pairs them in order, of different numbers only those that are alike.
        A paragraph that moved is no replacement."""
        old = [p for p in range(i, k) if base[p] not in self.written]
        put = [q for q in range(j, m) if new[q] not in self.known]
        if len(old) == len(put):
            pairs = list(zip(old, put))
        else:
            pairs, at = [], 0
            for p in old:
                for n in range(at, len(put)):
                    if not self.left:
                        break
                    self.left -= 1
                    if alike(base[p], new[put[n]]):
                        pairs.append((p, put[n]))
                        at = n + 1
                        break
        paired = dict((q, p) for p, q in pairs)
        for p in range(i, k):
            self.change[p] = ()
        at = i
        for q in range(j, m):
            if q in paired:
                self.change[paired[q]] = new[q]
                at = paired[q] + 1
            else:
                self.before[at].append(new[q])

    def leave_out(self, base, stale, taken):
        """Leaves out stale paragraphs. What stood in their place stays, unless a version of this side took it away."""
        if not stale:
            return
        for p, text in enumerate(base):
            change = self.change[p]
            if text not in self.moved and change is not None and (change == () or change in stale):
                self.change[p] = () if text in taken else None
                self.after.setdefault(p, text.after)
        self.before = [[text for text in part if text not in stale] for part in self.before]

    def _find_moves(self, base):
        """A base paragraph that this side removed here and put in elsewhere was moved."""
        self.moved = {}
        if not switches.on("moves"):
            return
        counts = collections.Counter(base)
        puts = collections.Counter(text for part in self.before for text in part)
        for p, text in enumerate(base):
            if self.change[p] is not None and counts[text] == puts[text] == 1:
                self.moved[text] = p


def new_ends(base, a, b):
    """What gives a text the ends that a side gave to all lines of the base; None if none did."""
    old = _line_ends(base)
    found = [ends for ends in map(_line_ends, (a, b)) if ends not in (None, old)] if old else []
    return (lambda text: _given(text, found[0])) if found else None


def _line_ends(text):
    """How all lines of a text end; None if no line ends, or not all in one way."""
    lines, returns = text.count("\n"), text.count("\r\n")
    return None if not lines or returns not in (0, lines) else "\r\n" if returns else "\n"


def _given(text, ends):
    return text.replace("\r\n", "\n").replace("\n", ends)


def merge(base, a, b, a_wins, stale=None):
    """The merged text and the conflicts as (base paragraph, winner, loser). a and b are texts; a_wins decides conflicts.

    stale: for each side the paragraphs that are left out, those that its own versions took away, and those that it holds (crossed.py)."""
    if stale is None and (a == b or b == base):
        return a, []
    if stale is None and a == base:
        return b, []
    if not switches.on("paragraphs"):
        return (a, [(base, a, b)]) if a_wins else (b, [(base, b, a)])
    given = new_ends(base, a, b) or str
    old, one, two = (Text(given(text)) for text in (base, a, b))
    parts = old.paragraphs
    left, right, conflicts = Side(tuple(parts), tuple(one.paragraphs)), Side(tuple(parts), tuple(two.paragraphs)), []
    for side, (gone, taken, held) in zip((left, right), stale or ()):
        side.leave_out(parts, gone, taken)
        side.held = held
    result = []
    for p in range(len(parts) + 1):
        result += united(_arrived(left, right, p, parts, a_wins, True, conflicts), _arrived(right, left, p, parts, a_wins, False, conflicts))
        if p < len(parts):
            result += _paragraph(p, parts[p], left, right, a_wins, conflicts)
    result = _without_doubles(result, one.paragraphs, two.paragraphs)
    if not result:
        return "", conflicts
    border = given((one if a_wins else two).border())
    text = _picked(old.head, one.head, two.head, a_wins) + result[0]
    for before, part in zip(result, result[1:]):
        text += (border if before.after is None else before.after) + part
    return text + _picked(old.tail, one.tail, two.tail, a_wins), [tuple(str(part) for part in clash) for clash in conflicts]


def _without_doubles(result, a, b):
    """Leaves out paragraphs that stand more often than on either side: both sides put one in, at places that differ."""
    one, two, standing, kept = collections.Counter(a), collections.Counter(b), collections.Counter(), []
    for part in result:
        standing[part] += 1
        if standing[part] <= max(1, one[part], two[part]):
            kept.append(part)
    return kept


def _picked(base, a, b, a_wins):
    """Who changed it, wins; both: the winner."""
    if a == b or b == base:
        return a
    if a == base:
        return b
    return a if a_wins else b


def _followed(text, after):
    part = Paragraph(text)
    part.after = after
    return part


def _arrived(side, other, p, parts, a_wins, is_a, conflicts):
    """What a side put before base paragraph p, with the other side's change of what it moved there. Both changed what it holds."""
    result = []
    for text in side.before[p]:
        if text not in side.moved:
            result.append(text)
            continue
        if text in other.moved:
            if a_wins == is_a:
                result.append(text)
            continue
        change = other.change[side.moved[text]]
        if change is None or change == () and text in side.held:
            result.append(text)
        elif change != ():
            kept = change
            if text in side.held and _words(change) != _words(text):
                kept, loser = (text, change) if a_wins == is_a else (change, text)
                conflicts.append((text, kept, loser))
            result.append(_followed(kept, text.after))
    return result


def _after(base, one, two, a_wins):
    """What follows a paragraph: of the side that changed that."""
    return next((found for found in (_picked(base.after, one, two, a_wins), one, two) if found is not None), None)


def _words(text):
    """A text but for how its lines end."""
    return text.replace("\r\n", "\n")


def _with_ends(text, other):
    """A paragraph with the ends of another one's lines, if these are all the same."""
    ends = _line_ends(other)
    return _given(text, ends) if ends else text


def _paragraph(p, base, left, right, a_wins, conflicts):
    """What stands in the place of base paragraph p."""
    a, b = left.change[p], right.change[p]
    if base in left.moved or base in right.moved:
        # The other side's change goes to the new place; what the mover put into the old place is new text.
        stays = (left.moved.get(base) is not None and a, right.moved.get(base) is not None and b)
        return [change for change in stays if change]
    if (a is None) != (b is None):
        change, kept = (b, left) if a is None else (a, right)
        is_held = base in kept.held
        if change == ():
            return [_followed(base, _after(base, left.after.get(p), right.after.get(p), a_wins))] if is_held else []
        if change not in kept.before[p][-1:] + kept.before[p + 1][:1]:
            after = _after(base, kept.after.get(p), change.after, a_wins)
            if not is_held or _words(change) == _words(base):
                return [_followed(change, after)]
            winner, loser = (base, change) if (a is None) == a_wins else (change, base)
            conflicts.append((base, winner, loser))
            return [_followed(winner, after)]
        # What one side changed the paragraph to, the other one put beside it: that stands once, and the old one if it is alike.
        if not (is_held or alike(base, change)):
            return []
        a = b = None
    if a is None and b is None:
        return [_followed(base, _after(base, left.after.get(p), right.after.get(p), a_wins))]
    if a == () or b == ():
        kept = [change for change in (a, b) if change != ()]
        return kept if switches.on("edit-beats-deletion") else []
    if a == b:
        return [a]
    for ends, change in ((a, b), (b, a)) if a_wins else ((b, a), (a, b)):
        if _words(ends) == _words(base):
            # One side changed the ends of lines alone.
            return [_followed(_with_ends(change, ends), _after(base, a.after, b.after, a_wins))]
    winner, loser = (a, b) if a_wins else (b, a)
    conflicts.append((base, winner, loser))
    return [winner]


def united(a, b):
    """Two runs of new paragraphs in one order, with what both have once."""
    known = set(a)
    pairs = (*matches(tuple(a), tuple(b)), (len(a), len(b)))
    result, i, j = [], 0, 0
    for k, m in pairs:
        result += a[i:k] + [text for text in b[j:m] if text not in known]
        result += a[k:k + 1]
        i, j = k + 1, m + 1
    return result

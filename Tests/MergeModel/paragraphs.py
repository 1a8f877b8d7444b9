"""Three-way merge of texts, paragraph by paragraph (rule 10)."""

import functools

import switches


def split(text):
    """The paragraphs of a text. The model separates them by one empty line; Merge.md says what a program does with others."""
    return tuple(part for part in text.split("\n\n") if part) if text else ()


def join(parts):
    return "\n\n".join(parts)


@functools.lru_cache(maxsize=100_000)
def matches(a, b):
    """A longest common subsequence as pairs of indices. Of several, the one that takes the earliest pair from the front."""
    length = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) - 1, -1, -1):
        for j in range(len(b) - 1, -1, -1):
            length[i][j] = length[i + 1][j + 1] + 1 if a[i] == b[j] else max(length[i + 1][j], length[i][j + 1])
    i = j = 0
    pairs = []
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif length[i + 1][j] >= length[i][j + 1]:
            i += 1
        else:
            j += 1
    return tuple(pairs)


def distance(a, b):
    """How many paragraphs differ between two texts: the larger of what was taken out and what was put in."""
    a, b = split(a), split(b)
    return max(len(a), len(b)) - len(matches(a, b))


def alike(a, b):
    """Whether two paragraphs share half of the words of the longer one."""
    a, b = a.split(), b.split()
    return 2 * len(matches(tuple(a), tuple(b))) >= max(len(a), len(b))


class Side:
    """What one side did to the base: for each base paragraph None (kept), () (removed) or its replacement; and what it put
    before each of them."""

    def __init__(self, base, new):
        self.change = [None] * len(base)
        self.before = [[] for _ in range(len(base) + 1)]
        i = j = 0
        for k, m in (*matches(base, new), (len(base), len(new))):
            self._block(base, new, i, k, j, m)
            i, j = k + 1, m + 1
        self._find_moves(base)

    def _block(self, base, new, i, k, j, m):
        """Base paragraphs i..<k became new ones j..<m: pairs them in order, of different numbers only those that are alike.
        A paragraph that moved is no replacement."""
        old = [p for p in range(i, k) if base[p] not in new]
        put = [q for q in range(j, m) if new[q] not in base]
        if len(old) == len(put):
            pairs = list(zip(old, put))
        else:
            pairs, at = [], 0
            for p in old:
                for n in range(at, len(put)):
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

    def _find_moves(self, base):
        """A base paragraph that this side removed here and put in elsewhere was moved."""
        self.moved = {}
        if not switches.on("moves"):
            return
        for p, text in enumerate(base):
            if self.change[p] is None or base.count(text) > 1:
                continue
            if sum(part.count(text) for part in self.before) == 1:
                self.moved[text] = p


def merge(base, a, b, a_wins):
    """The merged text and the conflicts as (base paragraph, winner, loser). a and b are texts; a_wins decides conflicts."""
    if a == b or b == base:
        return a, []
    if a == base:
        return b, []
    if not switches.on("paragraphs"):
        return (a, [(base, a, b)]) if a_wins else (b, [(base, b, a)])
    parts, one, two = split(base), split(a), split(b)
    left, right, conflicts = Side(parts, one), Side(parts, two), []
    result = []
    for p in range(len(parts) + 1):
        result += united(_arrived(left, right, p, parts, a_wins, True), _arrived(right, left, p, parts, a_wins, False))
        if p < len(parts):
            result += _paragraph(p, parts[p], left, right, a_wins, conflicts)
    return join(result), conflicts


def _arrived(side, other, p, parts, a_wins, is_a):
    """What a side put before base paragraph p, with the other side's change of what it moved there."""
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
        if change is None:
            result.append(text)
        elif change != ():
            result.append(change)
    return result


def _paragraph(p, base, left, right, a_wins, conflicts):
    """What stands in the place of base paragraph p."""
    a, b = left.change[p], right.change[p]
    if base in left.moved or base in right.moved:
        # The other side's change goes to the new place; what the mover put into the old place is new text.
        stays = (left.moved.get(base) is not None and a, right.moved.get(base) is not None and b)
        return [change for change in stays if change]
    if a is None and b is None:
        return [base]
    if a is None or b is None:
        change = b if a is None else a
        return [] if change == () else [change]
    if a == () or b == ():
        kept = [change for change in (a, b) if change != ()]
        return kept if switches.on("edit-beats-deletion") else []
    if a == b:
        return [a]
    winner, loser = (a, b) if a_wins else (b, a)
    conflicts.append((base, winner, loser))
    return [winner]


def united(a, b):
    """Two runs of new paragraphs in one order, with what both have once."""
    pairs = (*matches(tuple(a), tuple(b)), (len(a), len(b)))
    result, i, j = [], 0, 0
    for k, m in pairs:
        result += a[i:k] + [text for text in b[j:m] if text not in a]
        result += a[k:k + 1]
        i, j = k + 1, m + 1
    return result

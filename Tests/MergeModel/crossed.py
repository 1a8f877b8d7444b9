"""What the versions did that one of two sides alone comes from.

It is asked only where two states have several lowest common ancestors: histories crossed. The base, which these are joined to, has
the value of one of them, and a side may have that of another. Such a value is stale on a side if no version of that side alone put
it there, and one of the other side alone took it away. If that tells nothing: if no version of that side alone put it there, and a
person decided on the other side alone, by ending a conflict, and on this side did not. A stale value is no change.

A value of the base is **held** on a side that has it, if a person decided for it on that side alone and no version of the other side
took it away: only a join there chose another value. A held value counts as a change, so that an edit of the other value does not
replace it in silence.
"""

from typing import NamedTuple

import paragraphs

LIMIT = 1000      # so many versions are asked in one join: a bound of the work, which no script reaches


class Edit(NamedTuple):
    """A version puts what none of its parents has, and takes away what all of them have."""

    parents: tuple      # contents; empty for a root
    new: object
    ends: bool = False      # whether a version of it ends a conflict

    def put(self, value, read):
        return read(self.new) == value and all(read(parent) != value for parent in self.parents)

    def decided(self, value, read):
        """Whether a person ended a conflict and had this value then."""
        return self.ends and read(self.new) == value

    def took(self, value, read):
        return bool(self.parents) and read(self.new) != value and all(read(parent) == value for parent in self.parents)


class Crossed(NamedTuple):
    a: tuple = ()
    b: tuple = ()

    def stale(self, one, two, read, decides=True):
        """The side whose value is stale, "a" or "b"; None where none is, or both are. `read` gives the value of a content. decides:
        whether a person may have decided between two values: there are conflicts of it."""
        if one == two or not (self.a or self.b):
            return None
        sides = [any(edit.took(value, read) for edit in others) and not any(edit.put(value, read) for edit in own)
                 for value, own, others in ((one, self.a, self.b), (two, self.b, self.a))]
        if decides and sides == [False, False]:
            decided = [any(edit.decided(value, read) for edit in own) for value, own in ((one, self.a), (two, self.b))]
            sides = [decided[1 - n] > decided[n] and not any(edit.put(value, read) for edit in own)
                     for n, (value, own) in enumerate(((one, self.a), (two, self.b)))]
        return None if sides[0] == sides[1] else "a" if sides[0] else "b"

    def held(self, base, one, two, read):
        """Whether one side has the value of the base and holds it."""
        for value, other, own, others in ((one, two, self.a, self.b), (two, one, self.b, self.a)):
            if value == base != other:
                return (any(edit.decided(value, read) for edit in own) and not any(edit.decided(other, read) for edit in others)
                        and not any(edit.took(value, read) for edit in others))
        return False

    def stale_paragraphs(self, base, a, b):
        """For each side its stale paragraphs that the base lacks, those that its own versions took away, and those that it holds."""
        kept = [self._paragraphs(edits) for edits in (self.a, self.b)]
        given = paragraphs.new_ends(base, a, b)
        if given is not None:
            # Of a paragraph of which the ends alone changed, nothing was taken away.
            kept = [({given(text) for text in put}, {given(text) for text in taken} - {given(text) for text in put}) for put, taken in kept]
            base, a, b = given(base), given(a), given(b)
        texts = [set(paragraphs.split(text)) for text in (a, b)]
        known = set(paragraphs.split(base))
        ends = [any(edit.ends for edit in edits) for edits in (self.a, self.b)]
        found = []
        for n in (0, 1):
            gone = texts[n] - known - texts[1 - n] - kept[n][0]
            held = known & texts[n] - texts[1 - n] - kept[1 - n][1] if ends[n] > ends[1 - n] else set()
            found.append((gone if ends[1 - n] > ends[n] else gone & kept[1 - n][1], kept[n][1], held))
        return tuple(found)

    @staticmethod
    def _paragraphs(edits):
        put, taken = set(), set()
        for edit in edits:
            new, old = (_split(edit.new), [_split(parent) for parent in edit.parents])
            put |= new.difference(*old)
            if old:
                taken |= old[0].intersection(*old[1:]) - new
        return put, taken


def _split(content):
    return set(paragraphs.split((content.text or b"").decode(errors="surrogateescape")))


NOTHING = Crossed()


def edits(graph, a, b, left):
    """The edits of two nodes since they crossed, and how many versions that asks. None where that is above `left`."""
    only = (a.ancestors - b.ancestors, b.ancestors - a.ancestors)
    count = sum(map(len, only))
    if count > left:
        return NOTHING, 0
    ends = graph.ending()
    return Crossed(*(tuple(Edit(tuple(graph.nodes[parent].content for parent in sorted(graph.parents[name])), graph.nodes[name].content,
                                name in ends)
                           for name in sorted(names)) for names in only)), count

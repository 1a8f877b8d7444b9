"""How much of each block of a page belongs to its main text.

Texts are compared as sequences of words. A block of five words and more that stands in the known text as a whole belongs to it;
one that was cut elsewhere belongs to it by the share of its rows of four words. Shorter blocks may stand anywhere by chance. They
belong to it if the known text still has their words when those of the longer blocks are taken away; the nearest to longer blocks
come first. Some pages hold their text twice. A whole block belongs to the known text as often as it stands there; further copies
do not.
"""
import collections
import re

WORD = re.compile(r"\w+")
ROW = 4
SHORT = 5
COPY = 8
FAR = 40


def words(text):
    return WORD.findall((text or "").lower())


def rows(sequence, length):
    return {tuple(sequence[at:at + length]) for at in range(len(sequence) - length + 1)}


def distances(marked):
    """For each place, how far the nearest marked one is; `FAR` if there is none near."""
    found = [FAR] * len(marked)
    for places in (range(len(marked)), range(len(marked) - 1, -1, -1)):
        last = FAR
        for at in places:
            last = 0 if marked[at] else min(FAR, last + 1)
            found[at] = min(found[at], last)
    return found


def shares(texts, known):
    """For each text of a block, the share of its words in the known text: 0 to 1."""
    sequence = words(known)
    joined = " " + " ".join(sequence) + " "
    lines = {tuple(words(line)) for line in known.splitlines()}
    fours = rows(sequence, ROW)
    split = [words(text) for text in texts]
    left = collections.Counter(sequence)
    found = [0.0] * len(texts)
    copies = collections.Counter()
    for at, block in enumerate(split):
        if len(block) < SHORT:
            continue
        whole = " " + " ".join(block) + " "
        if len(block) >= COPY:
            copies[whole] += 1
        if copies[whole] > 1 and joined.count(whole) < copies[whole]:
            continue
        if whole in joined:
            found[at] = 1.0
        else:
            own = [tuple(block[start:start + ROW]) in fours for start in range(len(block) - ROW + 1)]
            found[at] = sum(own) / len(own)
        if found[at] >= 0.5:
            left.subtract(block)
    far = distances([share >= 0.5 for share in found])
    # A whole line of the known text counts as nearer.
    order = sorted((far[at] - (FAR if tuple(block) in lines else 0), at) for at, block in enumerate(split)
                   if 0 < len(block) < SHORT)
    for distance, at in order:
        counts = collections.Counter(split[at])
        if distance < FAR and all(left[word] >= count for word, count in counts.items()):
            found[at] = 1.0
            left.subtract(counts)
    # A block without words goes with the one before it.
    for at, block in enumerate(split):
        if not block:
            found[at] = found[at - 1] if at else 0.0
    return found


def squash(text):
    return " ".join(text.split())


def segment_labels(texts, with_texts, without_texts):
    """1 for blocks that hold a text that must be found, 0 for those that hold one that must not, None for the others."""
    wanted, unwanted = [squash(each) for each in with_texts], [squash(each) for each in without_texts]
    labels = []
    for text in map(squash, texts):
        if any(each in text or (len(text) > 30 and text in each) for each in wanted):
            labels.append(1.0)
        elif any(each in text or (len(text) > 30 and text in each) for each in unwanted):
            labels.append(0.0)
        else:
            labels.append(None)
    return labels

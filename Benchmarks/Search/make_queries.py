#!/usr/bin/env python3
"""Makes queries from a corpus's own vocabulary; the same seed makes the same queries.

  make_queries.py --corpus FILE --out FILE [--seed 1] [--per-class 100] [--limit 10000]

One JSON object a line: {"qid", "class", "terms": [..], "phrase", "prefix", "tag", "sort": "relevance" or "recent", "q": what a
person would type}, and "bare": [..] in the classes bare1 to bare3, "target" in the class typo. Terms stand as people type them:
in lower case with their accents, except in the class diacritic, whose queries are accented words without their accents.

Only the first --limit documents are read, so a larger corpus that begins with the same documents holds all words too.
"""
import argparse
import collections
import json
import random
import re
import sys
import unicodedata

from records import documents
from words import WORD, fold

LETTERS = re.compile(r"^(?:[a-z\u00e0-\u024f\u1e00-\u1eff]+|[\u0370-\u03ff]+|[\u0400-\u04ff]+)$")
# Words are taken from the beginning of a document.
BEGINNING = 20000
TRIES = 200000


def is_good(word):
    return 3 <= len(word) <= 20 and LETTERS.match(word)


class Vocabulary:
    """The texts and tags of a corpus, and in how many documents each good word occurs."""

    def __init__(self, corpus, limit):
        self.texts, self.tags, self.frequency = [], [], collections.Counter()
        accented = {}
        for document in documents(corpus, limit):
            text = unicodedata.normalize("NFC", document["text"])
            self.texts.append(text)
            self.tags.append(document["tags"])
            found = {word for word in map(str.lower, WORD.findall(text)) if is_good(word)}
            self.frequency.update(found)
            # Sorted, so that which accented form stands for a plain one does not hang on the hashes of one run.
            for word in sorted(found):
                plain = fold(word)
                if not word.isascii() and plain != word and plain.isascii():
                    accented.setdefault(plain, word)
        self.count = len(self.texts)
        self.words = sorted(self.frequency)
        self.common = [word for word in self.words if 0.02 * self.count <= self.frequency[word] <= 0.40 * self.count]
        self.rare = [word for word in self.words if self.frequency[word] <= 5]
        self.plain_forms = sorted(plain for plain, word in accented.items()
                                  if self.frequency[word] >= 2 and len(plain) >= 4)

    def words_of(self, number, least=0.001, most=0.2):
        """The good words of a document that occur in this share of all documents."""
        found = {word for word in map(str.lower, WORD.findall(self.texts[number][:BEGINNING])) if is_good(word)}
        return sorted(word for word in found if least * self.count <= self.frequency[word] <= most * self.count)


class Maker:
    """One function a class of queries: each makes a query's parts, or None to be asked again."""

    def __init__(self, vocabulary, seed):
        self.vocabulary, self.random = vocabulary, random.Random(seed)

    def pick(self, words):
        """The terms of a query for one of these words; None if there are none."""
        return {"terms": [self.random.choice(words)]} if words else None

    def document(self):
        return self.random.randrange(self.vocabulary.count)

    def common_word(self):
        return self.pick(self.vocabulary.common)

    def rare_word(self):
        return self.pick(self.vocabulary.rare)

    def several_words(self, count):
        found = self.vocabulary.words_of(self.document())
        return {"terms": self.random.sample(found, count)} if len(found) >= count * 4 else None

    def phrase(self):
        """Two to four words in a row with one space between them, one of them not too common."""
        vocabulary = self.vocabulary
        text = vocabulary.texts[self.document()]
        matches = list(WORD.finditer(text[:BEGINNING]))
        count = self.random.choice([2, 2, 3, 3, 4])
        if len(matches) < count + 5:
            return None
        start = self.random.randrange(len(matches) - count)
        row = matches[start:start + count]
        if any(text[row[at].end():row[at + 1].start()] != " " for at in range(count - 1)):
            return None
        found = [match.group().lower() for match in row]
        if not all(LETTERS.match(word) for word in found):
            return None
        if not any(is_good(word) and vocabulary.frequency[word] < 0.2 * vocabulary.count for word in found):
            return None
        return {"phrase": " ".join(found)}

    def prefix(self):
        found = self.vocabulary.words_of(self.document(), 0.0005, 0.5)
        if not found:
            return None
        word = self.random.choice(found)
        length = self.random.choice([3, 3, 4, 4, 5])
        return {"prefix": word[:length]} if len(word) > length else None

    def word_and_prefix(self):
        found = self.vocabulary.words_of(self.document())
        if len(found) < 8:
            return None
        first, second = self.random.sample(found, 2)
        length = self.random.choice([3, 4, 5])
        return {"terms": [first], "prefix": second[:length]} if len(second) > length else None

    def word_and_tag(self):
        number = self.document()
        found, tags = self.vocabulary.words_of(number, 0.001, 0.4), self.vocabulary.tags[number]
        return {"terms": [self.random.choice(found)], "tag": self.random.choice(tags)} if found and tags else None

    def without_accents(self):
        return self.pick(self.vocabulary.plain_forms)

    def latest(self):
        parts = self.pick(self.vocabulary.common)
        return {**parts, "sort": "recent"} if parts else None

    def typo(self):
        """A word with a letter left out, put in, replaced, or exchanged with its neighbour."""
        frequency = self.vocabulary.frequency
        word = self.random.choice(self.vocabulary.words)
        if not (frequency[word] >= 5 and len(word) >= 5 and word.isascii()):
            return None
        at, kind = self.random.randrange(1, len(word)), self.random.randrange(4)
        letter = self.random.choice("abcdefghijklmnopqrstuvwxyz")
        wrong = [
            word[:at] + word[at + 1:], word[:at] + letter + word[at:], word[:at] + letter + word[at + 1:],
            word[:at - 1] + word[at] + word[at - 1] + word[at + 1:],
        ][kind]
        return {"terms": [wrong], "target": word} if wrong != word and wrong not in frequency else None

    def bare_words(self, count):
        found = self.vocabulary.words_of(self.document(), 0.001, 0.4)
        return {"bare": self.random.sample(found, count)} if len(found) >= count * 4 else None

    def classes(self):
        """In the order in which they draw from the random numbers."""
        yield "term_common", self.common_word
        yield "term_rare", self.rare_word
        yield "and2", lambda: self.several_words(2)
        yield "and3", lambda: self.several_words(3)
        yield "phrase", self.phrase
        yield "prefix", self.prefix
        yield "term_prefix", self.word_and_prefix
        yield "term_tag", self.word_and_tag
        yield "diacritic", self.without_accents
        yield "recent", self.latest
        yield "typo", self.typo
        for count in (1, 2, 3):
            yield f"bare{count}", lambda count=count: self.bare_words(count)


def typed(query):
    """The query as a person would type it."""
    parts = [f'"{term}"' for term in query["terms"]] + list(query.get("bare", ()))
    if query["phrase"]:
        parts.append(f'"{query["phrase"]}"')
    if query["prefix"]:
        parts.append(query["prefix"] + "*")
    if query["tag"]:
        parts.append(f"tag:{query['tag']}")
    if query["sort"] == "recent":
        parts.append("sort:recent")
    return " ".join(parts)


def queries_of_class(name, make, count):
    """Up to `count` different queries."""
    made = {}
    for _ in range(TRIES):
        if len(made) == count:
            break
        parts = make()
        if not parts:
            continue
        query = {"qid": f"{name}-{len(made):03d}", "class": name, "terms": [], "phrase": None, "prefix": None, "tag": None,
                 "sort": "relevance", "q": "", **parts}
        query["q"] = typed(query)
        key = (*query["terms"], "|", query["phrase"], query["prefix"], query["tag"], *query.get("bare", ()))
        made.setdefault(key, query)
    return list(made.values())


def make_queries(corpus, out, seed=1, per_class=100, limit=10000):
    """Writes the queries; returns how many there are of each class."""
    maker = Maker(Vocabulary(corpus, limit), seed)
    counts = {}
    with open(out, "w", encoding="utf-8") as file:
        for name, make in maker.classes():
            made = queries_of_class(name, make, per_class)
            counts[name] = len(made)
            for query in made:
                file.write(json.dumps(query, ensure_ascii=False) + "\n")
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--per-class", type=int, default=100)
    parser.add_argument("--limit", type=int, default=10000)
    options = parser.parse_args()
    counts = make_queries(options.corpus, options.out, options.seed, options.per_class, options.limit)
    print(", ".join(f"{name} {count}" for name, count in counts.items()), file=sys.stderr)


if __name__ == "__main__":
    main()

"""What each query should find, by brute force, and how far an engine's answers agree.

The reference ranking is BM25F with k1 = 1.2 and the weights of words.py: the sum over the terms of idf · x / (k1 + x), with
x = sum over the fields of weight · tf / (1 − b + b · length / mean length) and idf = ln(1 + (N − n + 0.5) / (n + 0.5)),
where n is the number of documents that hold the term in any field. A phrase or a prefix is one term, and its tf is how often
it occurs. What a page shows besides its article is its rest: a word of it counts as a quarter of a word of the text, in the
frequency as in the length, which is rounded up. A bare word is one term too: its tf is tf(the word) + 0.25 · tf(longer
words that start with it). Equal scores stand by id. Queries with sort "recent" stand by updatedAt, latest first, then by id.
"""
import array
import collections
import math
import pickle
import sys

from records import documents, queries
from words import FIELDS, LENGTH_SHARE, WEIGHTS, bare_words, fold, required_words, words

K1 = 1.2
LONGER_WORD_SHARE = 0.25
REST_SHARE = 0.25
TEXT = FIELDS.index("text")
TOP = 10


class Wanted:
    """Every word, prefix, phrase, bare word and tag that some query asks for."""

    def __init__(self, all_queries):
        self.words, self.prefixes, self.bare, self.tags = set(), set(), set(), set()
        self.phrases = collections.defaultdict(set)
        for query in all_queries:
            self.words.update(required_words(query))
            self.bare.update(bare_words(query))
            if query["phrase"]:
                phrase = tuple(words(query["phrase"]))
                self.phrases[phrase[0]].add(phrase)
            if query["prefix"]:
                self.prefixes.add(fold(query["prefix"]))
            if query["tag"]:
                self.tags.add(query["tag"])
        self.prefix_lengths = sorted({len(prefix) for prefix in self.prefixes})
        self.bare_lengths = sorted({len(word) for word in self.bare})


def occurrences(phrase, sequence):
    count, at = 0, -1
    while True:
        try:
            at = sequence.index(phrase[0], at + 1)
        except ValueError:
            return count
        if tuple(sequence[at:at + len(phrase)]) == phrase:
            count += 1


class Postings:
    """For each wanted term the documents that hold it, as (number, tf in the title, in the tags, in the text)."""

    def __init__(self, corpus, wanted):
        self.wanted = wanted
        self.lists = collections.defaultdict(list)
        self.tagged = collections.defaultdict(set)
        self.ids, self.updated, self.lengths = [], [], []
        for number, document in enumerate(documents(corpus)):
            self.add(number, document)
            if number % 20000 == 19999:
                print(f"brute force: {number + 1} documents", file=sys.stderr, flush=True)
        count = len(self.ids)
        self.mean_lengths = [max(1e-9, sum(lengths[f] for lengths in self.lengths) / count) for f in range(len(FIELDS))]
        self.idf = {term: math.log(1 + (count - len(found) + 0.5) / (len(found) + 0.5))
                    for term, found in self.lists.items()}

    def add(self, number, document):
        self.ids.append(document["id"])
        self.updated.append(document["updatedAt"])
        for tag in self.wanted.tags.intersection(document["tags"]):
            self.tagged[tag].add(number)
        # A phrase must not run from one tag to the next, so a field is one or more sequences of words.
        fields = [[words(document["title"])], [words(tag) for tag in document["tags"]], [words(document["text"])]]
        lengths = [sum(map(len, sequences)) for sequences in fields]
        rest = [words(document["rest"])] if document.get("rest") else []
        lengths[TEXT] += math.ceil(sum(map(len, rest)) * REST_SHARE)
        self.lengths.append(tuple(lengths))
        found = {}
        for field, sequences, weight in [(0, fields[0], 1), (1, fields[1], 1), (TEXT, fields[TEXT], 1), (TEXT, rest, REST_SHARE)]:
            for term, count in self.terms_of_field(sequences):
                found.setdefault(term, [0, 0, 0])[field] += count * weight
        for term, frequencies in found.items():
            self.lists[term].append((number, *frequencies))

    def terms_of_field(self, sequences):
        """The wanted terms of a field with their frequencies."""
        wanted = self.wanted
        counts = collections.Counter(word for sequence in sequences for word in sequence)
        for word in counts.keys() & wanted.words:
            yield ("word", word), counts[word]
        for word, count in counts.items():
            for length in wanted.prefix_lengths:
                if len(word) >= length and word[:length] in wanted.prefixes:
                    yield ("prefix", word[:length]), count
            for length in wanted.bare_lengths:
                if len(word) >= length and word[:length] in wanted.bare:
                    yield ("bare", word[:length]), count if len(word) == length else LONGER_WORD_SHARE * count
        for first in counts.keys() & wanted.phrases.keys():
            for phrase in wanted.phrases[first]:
                if all(word in counts for word in phrase):
                    count = sum(occurrences(phrase, sequence) for sequence in sequences)
                    if count:
                        yield ("phrase", phrase), count

    def terms(self, query):
        terms = [("word", word) for word in required_words(query)]
        if query["phrase"]:
            terms.append(("phrase", tuple(words(query["phrase"]))))
        if query["prefix"]:
            terms.append(("prefix", fold(query["prefix"])))
        return terms + [("bare", word) for word in bare_words(query)]

    def matching(self, query):
        """The numbers of the documents that hold every term and the tag."""
        lists = sorted((self.lists.get(term, []) for term in self.terms(query)), key=len)
        found = {entry[0] for entry in lists[0]} if lists else set()
        for entries in lists[1:]:
            found &= {entry[0] for entry in entries}
        return found & self.tagged[query["tag"]] if query["tag"] else found

    def weighted_frequency(self, number, frequencies):
        total = 0
        for field, name in enumerate(FIELDS):
            if frequencies[field]:
                share = LENGTH_SHARE[name]
                length = self.lengths[number][field] / self.mean_lengths[field]
                total += WEIGHTS[name] * frequencies[field] / (1 - share + share * length)
        return total

    def best(self, query, matching):
        """The first ten as (id, score), or (id, updatedAt) for the latest."""
        if query["sort"] == "recent":
            order = sorted(matching, key=lambda number: self.ids[number])
            order.sort(key=lambda number: self.updated[number], reverse=True)
            return [(self.ids[number], self.updated[number]) for number in order[:TOP]]
        scores = dict.fromkeys(matching, 0.0)
        for term in self.terms(query):
            for number, *frequencies in self.lists.get(term, []):
                if number in scores:
                    x = self.weighted_frequency(number, frequencies)
                    scores[number] += self.idf[term] * x / (K1 + x)
        order = sorted(scores.items(), key=lambda entry: (-round(entry[1], 9), self.ids[entry[0]]))
        return [(self.ids[number], round(score, 4)) for number, score in order[:TOP]]


class Truth:
    """For each query the numbers of the documents that match, rising, and the first ten."""

    def __init__(self, ids, matching, best):
        self.ids, self.matching, self.best = ids, matching, best
        self.numbers = {name: number for number, name in enumerate(ids)}

    @staticmethod
    def by_brute_force(corpus, query_file):
        all_queries = queries(query_file)
        postings = Postings(corpus, Wanted(all_queries))
        matching, best = {}, {}
        for query in all_queries:
            found = postings.matching(query)
            matching[query["qid"]] = array.array("I", sorted(found))
            best[query["qid"]] = postings.best(query, found)
        return Truth(postings.ids, matching, best)

    @staticmethod
    def read(path):
        with open(path, "rb") as file:
            return Truth(*pickle.load(file))

    def write(self, path):
        with open(path, "wb") as file:
            pickle.dump((self.ids, self.matching, self.best), file)

    def judge(self, name, answer):
        """One answer: shares from 0 to 1. A query that finds nothing and should find nothing counts as 1."""
        judgement = {}
        if answer.get("ids") is not None:
            # A document that the corpus does not hold has no number, and is wrong.
            found = {self.numbers.get(each, each) for each in answer["ids"]}
            right = set(self.matching[name])
            common = len(right & found)
            judgement["precision"] = common / len(found) if found else 1.0
            judgement["recall"] = common / len(right) if right else 1.0
            judgement["exact"] = float(found == right)
        if answer.get("top") is not None:
            reference = [each for each, _ in self.best[name]]
            overlap = set(reference) & set(answer["top"][:TOP])
            judgement["top10_overlap"] = len(overlap) / len(reference) if reference else 1.0
            judgement["top10_order"] = float(reference == answer["top"][:TOP])
        return judgement

    def judge_classes(self, answers):
        """Means over the queries of each class; `answers` yields (qid, {"ids": …, "top": …})."""
        rows = collections.defaultdict(list)
        for name, answer in answers:
            rows[name.rsplit("-", 1)[0]].append(self.judge(name, answer))
        return {name: {measure: mean_of(measure, judgements) for measure in
                       ("precision", "recall", "exact", "top10_overlap", "top10_order")}
                for name, judgements in rows.items()}


def mean_of(measure, judgements):
    values = [judgement[measure] for judgement in judgements if measure in judgement]
    return round(sum(values) / len(values), 4) if values else None

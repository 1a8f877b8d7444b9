#!/usr/bin/env python3
"""Makes a corpus of made-up words without any download; the same seed makes the same corpus.

  made_up_corpus.py --documents N --out FILE [--seed 1]

It is for judging answers, not for figures: words of four scripts with and without accents, as rare and as common as in a
natural language (Zipf), in texts of 5 to 400 words, with joined spellings, digits, ligatures, combining marks and punctuation
between them. One document in three is a page with a rest: what it shows besides its article.
"""
import argparse
import datetime
import itertools
import json
import random
import unicodedata
import uuid

SYLLABLES = {
    "latin": "ba be bi bo da de di do fa fi ga go ka ke ki ko la le li lo ma me mi mo na ne no pa pe po ra re ri ro sa se si so "
             "ta te ti to va ve vi vo za zo".split(),
    "accented": "bá bé čo dě éf fí ğa îl kó łą łó ma mø né ño öl ór pě rů řa šo ßa ta tú ü vě œu ža ży".split(),
    "greek": "αβ γα δε ζη θι κα λο μά νέ ξι ος πό ρα σε τί υς φω χώ ψι ών".split(),
    "cyrillic": "ба во ги де жу зо ий ка ло мё но пу ра се ту фи хо це чё ша".split(),
    "han": "日本 語学 中文 書物 漢字 東京 字典".split(),
}
SHARES = {"latin": 55, "accented": 25, "greek": 8, "cyrillic": 8, "han": 4}
VOCABULARY = 6000
TAGS = 60
JOINTS = [" ", " ", " ", " ", " ", " ", " ", " ", " ", ", ", ". ", "\n", " – ", "-", "_", "/", "'", "  "]
START = datetime.datetime(2012, 1, 1)


class MadeUp:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.vocabulary = sorted({self.word() for _ in range(VOCABULARY)})
        self.random.shuffle(self.vocabulary)
        self.weights = list(itertools.accumulate(1 / (rank + 2) for rank in range(len(self.vocabulary))))
        self.tags = [self.tag() for _ in range(TAGS)]
        self.tag_weights = list(itertools.accumulate(1 / (rank + 1) for rank in range(TAGS)))

    def word(self):
        script = self.random.choices(list(SHARES), list(SHARES.values()))[0]
        return "".join(self.random.choices(SYLLABLES[script], k=self.random.choice([1, 2, 2, 3, 3, 4])))

    def tag(self):
        return "-".join("".join(self.random.choices(SYLLABLES["latin"], k=2)) for _ in range(self.random.choice([1, 1, 2])))

    def spelled(self, word):
        """As it stands in texts: mostly as it is, at times in capitals, decomposed, with a digit, or as one part of a name."""
        chance = self.random.random()
        if chance < 0.80:
            return word
        if chance < 0.90:
            return word.capitalize()
        if chance < 0.93:
            return word.upper()
        if chance < 0.96:
            return unicodedata.normalize("NFD", word)
        if chance < 0.98:
            return word + str(self.random.randrange(100))
        return word.capitalize() + self.random.choice(self.vocabulary).capitalize()

    def text(self, count):
        chosen = self.random.choices(self.vocabulary, cum_weights=self.weights, k=count)
        return "".join(self.spelled(word) + self.random.choice(JOINTS) for word in chosen).strip()

    def document(self, number):
        created = START + datetime.timedelta(seconds=self.random.randrange(14 * 365 * 86400))
        updated = created + datetime.timedelta(seconds=self.random.choice([0, self.random.randrange(300 * 86400)]))
        chosen = self.random.choices(self.tags, cum_weights=self.tag_weights, k=self.random.randrange(5))
        return {
            "id": str(uuid.UUID(int=self.random.getrandbits(128), version=4)), "title": self.text(self.random.randint(1, 12)),
            "tags": list(dict.fromkeys(chosen)), "collection": self.random.choice(self.tags[:8]), "type": "link",
            "source": f"https://example.org/{number}", "createdAt": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "updatedAt": updated.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "text": self.text(int(5 * 80 ** self.random.random())), "html_path": "",
            "rest": self.text(int(5 * 80 ** self.random.random())) if self.random.randrange(3) == 0 else "",
        }


def make_corpus(count, out, seed=1):
    maker = MadeUp(seed)
    with open(out, "w", encoding="utf-8") as file:
        for number in range(count):
            file.write(json.dumps(maker.document(number), ensure_ascii=False) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    make_corpus(options.documents, options.out, options.seed)


if __name__ == "__main__":
    main()

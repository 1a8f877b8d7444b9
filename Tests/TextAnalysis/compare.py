#!/usr/bin/env python3
"""Compares the plain tokens of sbfs-bench with SearchIndex.md § I1.1–I1.2 computed with Python's own Unicode data (14.0.0).

Usage: compare.py --bench PATH [--seed N] [--jsonl FILE]

It compares every scalar value, alone and between letters, and random texts; with --jsonl also every string in the
objects of a file.
"""

import argparse
import json
import random
import re
import subprocess
import sys
import unicodedata

WORD = re.compile(r"[^\W_]+")
STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ŧ": "t", "ŀ": "l", "ŋ": "n",
                         "ς": "σ", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ĸ": "q", "ƒ": "f"})
MARKS = {value: None for value in range(0x110000) if unicodedata.category(chr(value)) == "Mn"}
LIMIT = 255


def tokens(text):
    """The whole text is folded at once, not scalar by scalar as the program does it."""
    folded = unicodedata.normalize("NFKD", text).translate(MARKS).lower().translate(STROKES)
    return [piece for token in WORD.findall(folded) for piece in cut(token)]


def cut(token):
    if len(token.encode()) <= LIMIT:
        return [token]
    pieces, count = [""], 0
    for scalar in token:
        more = len(scalar.encode())
        if count + more > LIMIT:
            pieces.append("")
            count = 0
        pieces[-1] += scalar
        count += more
    return pieces


def escaped(text):
    return text.replace("\\", "\\5C;").replace("\n", "\\A;")


def compare(bench, what, texts):
    """Number of texts whose tokens differ."""
    compared = different = 0
    for start in range(0, len(texts), 100_000):
        batch = texts[start:start + 100_000]
        output = subprocess.run([bench, "tokens"], input="".join(escaped(text) + "\n" for text in batch),
                                capture_output=True, encoding="utf-8", check=True).stdout.split("\n")
        if len(output) != len(batch) + 1:
            sys.exit(f"{len(batch)} texts, {len(output) - 1} lines")
        for text, line in zip(batch, output):
            found, expected = line.split("\t")[:-1], tokens(text)
            compared += len(expected)
            if found != expected:
                different += 1
                if different <= 5:
                    print(f"DIFFERENT: {text[:200]!a}\n  expected {expected[:20]!a}\n  found    {found[:20]!a}")
    print(f"{what}: {len(texts)} texts, {compared} tokens, {different} texts differ")
    return different


def random_text(generator):
    """Mostly letters of a few scripts, with everything else mixed in."""
    ranges = [(0x20, 0x7E)] * 6 + [(0xA0, 0x24F), (0x300, 0x36F), (0x370, 0x4FF), (0x590, 0x6FF), (0x900, 0xDFF),
                                   (0xE00, 0xEFF), (0x1100, 0x11FF), (0x1E00, 0x20CF), (0x2100, 0x2BFF), (0x3000, 0x33FF),
                                   (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xF900, 0xFFFD), (0x10000, 0x3FFFF),
                                   (0xE0000, 0xE01FF)]
    text = ""
    for _ in range(generator.randrange(30)):
        low, high = generator.choice(ranges)
        count = 300 if generator.randrange(200) == 0 else generator.randrange(12)
        text += "".join(chr(generator.randint(low, high)) for _ in range(count))
    return text


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for element in value:
            yield from strings(element)
    elif isinstance(value, dict):
        for element in value.values():
            yield from strings(element)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bench", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jsonl")
    arguments = parser.parse_args()
    if unicodedata.unidata_version != "14.0.0":
        print(f"text analysis: not compared, Python has Unicode {unicodedata.unidata_version} and not 14.0.0")
        return 0
    scalars = [chr(value) for value in range(0x110000) if not 0xD800 <= value <= 0xDFFF]
    generator = random.Random(arguments.seed)
    different = compare(arguments.bench, "scalars alone", scalars)
    different += compare(arguments.bench, "scalars between letters", [f"a{scalar}b" for scalar in scalars])
    different += compare(arguments.bench, "random texts", [random_text(generator) for _ in range(20_000)])
    if arguments.jsonl:
        with open(arguments.jsonl, encoding="utf-8") as lines:
            texts = [text for line in lines for text in strings(json.loads(line))]
        different += compare(arguments.bench, arguments.jsonl, texts)
    return 1 if different else 0


sys.exit(main())

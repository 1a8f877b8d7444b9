#!/usr/bin/env python3
"""Judges how well a program reads pages of seven kinds: the development pages of WCXB, see README.md.

  wcxb.py DIR --serve 'PROGRAM' --label NAME [--folds K] [--worst N]

DIR holds html/NNNN.html or html/NNNN.html.gz and ground-truth/NNNN.json, as the benchmark's repository does. PROGRAM is started
once, see extractor.py.

F1 is the benchmark's own: words in lower case as multisets, the mean over the pages, for each kind and for all. with and
without: the share of the texts that must and must not be found (white space and case folded). title: equal but for case, white
space and punctuation; author: the same words; day: equal; each over the pages that have one. none: the share of the pages
without an author for which none is given. --folds puts pages into folds by a hash of their host: rules that were made while
looking at one fold are judged by another.
"""
import argparse
import collections
import gzip
import hashlib
import json
import os
import re
import sys
import tempfile
import urllib.parse

from extractor import Extractor

WORD = re.compile(r"\w+")
KINDS = ("article", "documentation", "service", "forum", "collection", "listing", "product")


def agreement(found, known):
    """(F1, precision, recall) of two texts; the right answer to nothing is nothing."""
    found, known = (collections.Counter(WORD.findall(text.lower())) for text in (found, known))
    if not known:
        return (0.0, 0.0, 1.0) if found else (1.0, 1.0, 1.0)
    if not found:
        return 0.0, 0.0, 0.0
    common = sum((found & known).values())
    precision, recall = common / sum(found.values()), common / sum(known.values())
    return (2 * precision * recall / (precision + recall) if common else 0.0), precision, recall


def words(text):
    return WORD.findall((text or "").lower())


def flat(text):
    return " ".join((text or "").lower().split())


def page(folder, name):
    path = os.path.join(folder, "html", name + ".html")
    with open(path, "rb") if os.path.exists(path) else gzip.open(path + ".gz") as file:
        return file.read()


def judge(name, about, answer):
    """One page; None where there is nothing to compare with."""
    known, text, author = about["ground_truth"], answer.get("text") or "", answer.get("author")
    author = ", ".join(author) if isinstance(author, list) else author
    low = flat(text)
    return {
        "name": name, "kind": about["_internal"]["page_type"]["primary"],
        "host": urllib.parse.urlsplit(about.get("url") or "").hostname or name,
        "f1": agreement(text, known.get("main_content") or ""),
        "with": [flat(each) in low for each in known.get("with") or []],
        "without": [flat(each) not in low for each in known.get("without") or []],
        "title": words(answer.get("title")) == words(known["title"]) if known.get("title") else None,
        "author": set(words(author)) == set(words(known["author"])) if known.get("author") else None,
        "none": None if known.get("author") else not words(author),
        "day": (answer.get("date") or "")[:10] == known["publish_date"][:10] if known.get("publish_date") else None,
    }


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else float("nan")


def fold(row, count):
    return int(hashlib.sha256(row["host"].encode()).hexdigest(), 16) % count


def print_rows(rows, options):
    for kind in (None, *KINDS):
        part = [row for row in rows if kind in (None, row["kind"])]
        if part:
            measures = "  ".join(f"{name}={mean(row['f1'][at] for row in part):.3f}" for at, name in enumerate(("F1", "P", "R")))
            shares = "  ".join(f"{name}={mean(each for row in part for each in row[name]):.3f}" for name in ("with", "without"))
            print(f"{kind or 'all':14} n={len(part):<5} {measures}  {shares}")
    for name in ("title", "author", "none", "day"):
        found = [row[name] for row in rows if row[name] is not None]
        print(f"{name:14} n={len(found):<5} exact={mean(found):.3f}")
    for number in range(options.folds):
        part = [row for row in rows if fold(row, options.folds) == number]
        print(f"fold {number}         n={len(part):<5} F1={mean(row['f1'][0] for row in part):.3f}")
    for row in sorted(rows, key=lambda row: row["f1"][0])[:options.worst]:
        f1, precision, recall = row["f1"]
        print(f"worst {row['name']} {row['kind']:13} F1={f1:.2f} P={precision:.2f} R={recall:.2f} {row['host']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("--serve", required=True, metavar="PROGRAM")
    parser.add_argument("--label", default="subject")
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--worst", type=int, default=0, help="names the N pages with the lowest F1")
    options = parser.parse_args()
    truths = os.path.join(options.folder, "ground-truth")
    if not os.path.isdir(truths):
        sys.exit(f"{truths} is no folder; Benchmarks/Capture/README.md says where WCXB comes from")
    extractor, rows, seconds = Extractor(options.serve), [], 0.0
    with tempfile.TemporaryDirectory(prefix="wcxb-") as scratch:
        path = os.path.join(scratch, "page.html")
        for name in sorted(name[:-len(".json")] for name in os.listdir(truths) if name.endswith(".json")):
            with open(os.path.join(truths, name + ".json"), encoding="utf-8") as file:
                about = json.load(file)
            with open(path, "wb") as file:
                file.write(page(options.folder, name))
            answer, took = extractor.ask(path, about.get("url") or "")
            rows.append(judge(name, about, answer))
            seconds += took
    extractor.close()
    print(f"# {options.label}: {len(rows)} pages, {len(rows) / seconds:.0f} pages/s, {extractor.errors} errors")
    print_rows(rows, options)


if __name__ == "__main__":
    main()

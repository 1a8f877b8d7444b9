"""Pages whose article, title, author and day are known, from the public sets, each a checkout of its repository.

A case is {"set", "name", "file", "url", "gold"}; gold holds text (or with and without: texts that must and must not be found),
title, author, date. README.md says where the sets come from.
"""
import collections
import gzip
import hashlib
import json
import os
import re
from html.parser import HTMLParser

DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
BLOCKS = set(("p div section article header footer h1 h2 h3 h4 h5 h6 li ul ol dl dt dd table tr td th blockquote pre figure "
              "figcaption br hr main aside nav address details summary").split())
UNSEEN = {"script", "style", "noscript", "template", "head", "title"}


def day(text):
    match = DAY.match(text.strip()) if isinstance(text, str) else None
    return "-".join(match.groups()) if match else None


def read_json(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return json.load(file)


class Text(HTMLParser):
    """The text of a clean piece of HTML, for Readability's expected.html only."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.pieces, self.unseen = [], 0

    def handle_starttag(self, tag, attrs):
        if tag in UNSEEN:
            self.unseen += 1
        elif tag in BLOCKS:
            self.pieces.append("\n")

    def handle_endtag(self, tag):
        if tag in UNSEEN:
            self.unseen = max(0, self.unseen - 1)
        elif tag in BLOCKS:
            self.pieces.append("\n")

    def handle_data(self, data):
        if not self.unseen:
            self.pieces.append(data)


def html_text(source):
    parser = Text()
    parser.feed(source)
    parser.close()
    return "".join(parser.pieces)


def scrapinghub(folder):
    """article-extraction-benchmark: texts of articles, written down by people."""
    for name, known in sorted(read_json(folder, "ground-truth.json").items()):
        yield {"set": "scrapinghub", "name": name, "file": os.path.join(folder, "html", name + ".html.gz"),
               "url": known.get("url") or "", "gold": {"text": known.get("articleBody", "")}}


def readability(folder):
    """mozilla/readability: what Readability.js itself gave, a set of regressions more than a truth."""
    root = os.path.join(folder, "test", "test-pages")
    for name in sorted(os.listdir(root)):
        source = os.path.join(root, name, "source.html")
        if not os.path.isfile(source):
            continue
        known = read_json(root, name, "expected-metadata.json")
        with open(os.path.join(root, name, "expected.html"), encoding="utf-8") as file:
            text = html_text(file.read())
        gold = {"text": text, "title": known.get("title"), "author": known.get("byline"), "date": day(known.get("publishedTime"))}
        yield {"set": "readability", "name": name, "file": source, "url": "http://fakehost/test/page.html", "gold": gold}


def page_in(folder, places, name):
    paths = (os.path.join(folder, "tests", place, name) for place in places)
    return next((path for path in paths if os.path.isfile(path)), None)


def trafilatura(folder):
    """adbar/trafilatura: texts that must and must not be found, title, author, day."""
    for url, known in sorted(read_json(folder, "tests", "evaldata.json").items()):
        path = page_in(folder, ("cache", "eval"), known["file"])
        if not path:
            continue
        gold = {"with": known["with"], "without": known["without"]}
        gold.update({field: known[field] for field in ("title", "author") if known.get(field)})
        if known.get("date"):
            gold["date"] = day(known["date"])
        yield {"set": "trafilatura", "name": known["file"], "file": path, "url": url, "gold": gold}


def htmldate(folder):
    """adbar/htmldate: the day of publication."""
    for name in ("eval_default.json", "eval_mediacloud_2020.json"):
        for url, known in sorted(read_json(folder, "tests", name).items()):
            path = page_in(folder, ("test_set", "cache", "eval"), known["file"])
            if path and known.get("date"):
                yield {"set": "htmldate", "name": known["file"], "file": path, "url": url, "gold": {"date": day(known["date"])}}


def pack(folder):
    """cases.jsonl and pages/, as `write_pack` makes them."""
    with open(os.path.join(folder, "cases.jsonl"), encoding="utf-8") as file:
        for case in map(json.loads, file):
            yield {**case, "file": os.path.join(folder, case["file"])}


SETS = {"pack": pack, "scrapinghub": scrapinghub, "readability": readability, "trafilatura": trafilatura, "htmldate": htmldate}


def half(case):
    """Decides by the page's name alone: a page of two sets must not be in both halves."""
    return "visible" if hashlib.sha256(case["name"].encode()).digest()[0] % 2 == 0 else "heldout"


def cases(folders, part="all", limit=0):
    """All cases of the folders, {name of a set: folder}; `limit` is the most of each set, 0 for all."""
    found, counts = [], collections.Counter()
    for name, read in SETS.items():
        for case in read(folders[name]) if folders.get(name) else ():
            if part in ("all", half(case)) and (not limit or counts[case["set"]] < limit):
                counts[case["set"]] += 1
                found.append(case)
    return found


def page(case):
    """The bytes of a case's page."""
    with (gzip.open if case["file"].endswith(".gz") else open)(case["file"], "rb") as file:
        return file.read()


def write_pack(found, folder):
    os.makedirs(os.path.join(folder, "pages"), exist_ok=True)
    with open(os.path.join(folder, "cases.jsonl"), "w", encoding="utf-8") as file:
        for case in found:
            data = page(case)
            name = f"pages/{hashlib.sha256(data).hexdigest()[:32]}.html"
            with open(os.path.join(folder, name), "wb") as copy:
                copy.write(data)
            file.write(json.dumps({**case, "file": name}, ensure_ascii=False) + "\n")

"""Reads a corpus and a file of queries: one JSON object a line."""
import calendar
import itertools
import json
import os
import time

# The kinds of queries that every engine is asked, in the order in which they are printed.
CLASSES = [
    "term_common", "term_rare", "diacritic", "and2", "and3", "phrase", "prefix", "term_prefix", "term_tag", "recent",
]
# Words as a person types them, each also as a beginning; only some engines can answer them with a ranking.
BARE_CLASSES = ["bare1", "bare2", "bare3"]


def documents(path, limit=None):
    with open(path, encoding="utf-8") as file:
        for line in itertools.islice(file, limit):
            yield json.loads(line)


def queries(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def query(words, name="query"):
    """A query for all of these words."""
    return {"qid": name, "class": name, "terms": list(words), "phrase": None, "prefix": None, "tag": None,
            "sort": "relevance", "q": " ".join(words)}


def text_bytes(path):
    """Bytes of titles and texts: what sizes and speeds are measured by."""
    return sum(len(d["text"].encode()) + len(d["title"].encode()) for d in documents(path))


def seconds(timestamp):
    """Seconds since 1970 of an instant such as 2025-01-31T12:00:00Z."""
    return calendar.timegm(time.strptime(timestamp, "%Y-%m-%dT%H:%M:%SZ"))


def disk_bytes(path):
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(path) for name in names)

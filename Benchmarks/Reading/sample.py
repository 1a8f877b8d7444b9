"""The blocks of all pages of all sets, with features from `sbfs-bench read features` and labels from what is known.

Pages are read once; the result is kept in a folder, and made again when the program changes.
"""
import hashlib
import json
import os
import pickle
import subprocess
import sys
import tempfile
import urllib.parse

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Capture"))
import reader_cases  # noqa: E402
import wcxb  # noqa: E402

from truth import segment_labels, shares, words  # noqa: E402


def wcxb_cases(folder):
    truths = os.path.join(folder, "ground-truth")
    for name in sorted(each[:-len(".json")] for each in os.listdir(truths) if each.endswith(".json")):
        about = reader_cases.read_json(truths, name + ".json")
        path = os.path.join(folder, "html", name + ".html")
        yield {"set": "wcxb", "name": name, "file": path if os.path.exists(path) else path + ".gz", "url": about.get("url") or "",
               "kind": about["_internal"]["page_type"]["primary"], "about": about,
               "gold": {"text": about["ground_truth"].get("main_content") or ""}}


def host(case):
    return urllib.parse.urlsplit(case["url"]).hostname or case["name"] if case["set"] != "readability" else case["name"]


def fold(case, count):
    """The fold of a page, by its host alone (without www), so that pages of one site are never in two."""
    name = host(case)
    name = name[4:] if name.startswith("www.") else name
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % count


def all_cases(folders):
    """The cases of {set: folder}."""
    cases = list(wcxb_cases(folders["wcxb"])) if folders.get("wcxb") else []
    return cases + reader_cases.cases({name: folders.get(name) for name in reader_cases.SETS})


def read(cases, bench, cache):
    """Adds "texts", "features" and "labels" to each case; the labels of a page without known text are None."""
    with open(bench, "rb") as file:
        stamp = hashlib.sha256(file.read() + repr([(c["set"], c["name"]) for c in cases]).encode()).hexdigest()[:16]
    path = os.path.join(cache, f"blocks-{stamp}.pickle")
    if os.path.exists(path):
        with open(path, "rb") as file:
            return pickle.load(file)
    program = subprocess.Popen([bench, "read", "features"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with tempfile.TemporaryDirectory() as scratch:
        page = os.path.join(scratch, "page.html")
        for case in cases:
            with open(page, "wb") as file:
                file.write(reader_cases.page(case))
            program.stdin.write((json.dumps({"html": page, "url": case["url"]}) + "\n").encode())
            program.stdin.flush()
            answer = json.loads(program.stdout.readline())
            texts = answer["texts"]
            values = numpy.frombuffer(bytes.fromhex(answer["features"]), dtype="<f4")
            case["texts"] = texts
            case["words"] = numpy.array([len(words(text)) for text in texts], dtype=numpy.float32)
            case["features"] = values.reshape(len(texts), -1) if texts else values.reshape(0, 0)
            gold = case["gold"]
            if "with" in gold:
                case["labels"] = segment_labels(texts, gold["with"], gold["without"])
            elif "text" in gold:
                case["labels"] = shares(texts, gold["text"])
            else:
                case["labels"] = [None] * len(texts)
    program.stdin.close()
    program.wait()
    os.makedirs(cache, exist_ok=True)
    with open(path, "wb") as file:
        pickle.dump(cases, file)
    return cases

"""Programs that search plain files, asked by whole processes: ripgrep, which has no index, and recoll.

A document is one text file: title, tags, text. Neither program knows the rules of words.py (ripgrep does not remove accents),
so what ripgrep misses shows in its recall.
"""
import os
import re
import resource
import shutil
import statistics
import subprocess
import time

from records import disk_bytes, documents, queries, text_bytes
from truth import Truth

CLASSES = ("term_common", "term_rare", "and2", "phrase", "prefix", "diacritic")
BEFORE, AFTER, BETWEEN = r"(?:^|[^\p{L}\p{N}])", r"(?:$|[^\p{L}\p{N}])", r"[^\p{L}\p{N}]+"
LARGE_TREE_BYTES = 200_000_000
FILES_OF_A_CALL = 2000
RECOLL_QUERIES = 20


def tree_of(options):
    """The folder of the text files."""
    root = os.path.join(options.work, "tree-" + os.path.basename(options.corpus))
    if os.path.isdir(root):
        return root
    for document in documents(options.corpus):
        folder = os.path.join(root + ".partial", document["id"][:2])
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, document["id"] + ".txt"), "w", encoding="utf-8") as file:
            file.write(document["title"] + "\n" + " ".join(document["tags"]) + "\n" + document["text"] + "\n")
    os.rename(root + ".partial", root)
    return root


def of_class(options, name, count):
    return [each for each in queries(options.queries) if each["class"] == name][:count]


def patterns(query):
    found = [BEFORE + re.escape(term) + AFTER for term in query["terms"]]
    if query["phrase"]:
        found.append(BEFORE + BETWEEN.join(map(re.escape, query["phrase"].split())) + AFTER)
    if query["prefix"]:
        found.append(BEFORE + re.escape(query["prefix"]))
    return found


def files_with(pattern, places, threads):
    command = ["rg", "-l", "-i", "-j", str(threads), "--no-ignore", "--no-messages", "-e", pattern]
    found = []
    for start in range(0, len(places), FILES_OF_A_CALL):
        done = subprocess.run(command + places[start:start + FILES_OF_A_CALL], stdout=subprocess.PIPE, text=True)
        if done.returncode not in (0, 1):
            raise RuntimeError(f"rg ended with status {done.returncode}")
        found += done.stdout.split("\n")[:-1]
    return found


def microseconds(times):
    return {"p50": round(statistics.median(times) * 1e6), "max": round(max(times) * 1e6)}


def ripgrep(options):
    """A chain of `rg -l`, each over the files that the one before found."""
    root, truth = tree_of(options), Truth.read(options.truth) if options.truth else None
    count = 10 if disk_bytes(root) < LARGE_TREE_BYTES else 4
    times, answers = {}, []
    for name in CLASSES:
        taken = []
        for query in of_class(options, name, count):
            began, places = time.perf_counter(), [root]
            for pattern in patterns(query):
                places = files_with(pattern, places, options.threads)
                if not places:
                    break
            taken.append(time.perf_counter() - began)
            answers.append((query["qid"], {"ids": [os.path.basename(place)[:-len(".txt")] for place in places]}))
        if taken:
            times[name] = microseconds(taken)
    return {"process_us": times, **({"correct": truth.judge_classes(answers)} if truth else {})}


def recoll(options):
    root = tree_of(options)
    settings = os.path.join(options.work, "recoll-" + os.path.basename(options.corpus))
    shutil.rmtree(settings, ignore_errors=True)
    os.makedirs(settings)
    with open(os.path.join(settings, "recoll.conf"), "w", encoding="utf-8") as file:
        file.write(f"topdirs = {root}\nindexStripChars = 1\nidxflushmb = 100\nthrQSizes = -1 -1 -1\nloglevel = 1\nskippedNames =\n")

    def run(*words, accepts=(0,)):
        began = time.perf_counter()
        done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if done.returncode not in accepts:
            raise RuntimeError(f"{' '.join(words)} ended with status {done.returncode}")
        return time.perf_counter() - began
    indexing = run("recollindex", "-c", settings)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3
    size, text = disk_bytes(settings), text_bytes(options.corpus)
    times = {}
    for name in CLASSES:
        taken = []
        for query in of_class(options, name, RECOLL_QUERIES):
            asked = " ".join(query["terms"])
            asked += f' "{query["phrase"]}"' if query["phrase"] else ""
            asked += query["prefix"] + "*" if query["prefix"] else ""
            # A prefix of too many words is refused by Xapian with status 1, as no answer is.
            taken.append(run("recollq", "-c", settings, "-n", "10", "-b", asked, accepts=(0, 1)))
        if taken:
            times[name] = microseconds(taken)
    changed = next(os.path.join(folder, names[0]) for folder, _, names in os.walk(root) if names)
    with open(changed, "a", encoding="utf-8") as file:
        file.write("zzrecollq\n")
    one = run("recollindex", "-c", settings, "-i", changed)
    everything = run("recollindex", "-c", settings)
    return {
        "index_s": round(indexing, 1), "peak_rss_mb": round(peak), "index_over_text": round(size / text, 3),
        "process_us": times, "update_one_file_ms": round(one * 1e3), "rescan_all_ms": round(everything * 1e3),
    }

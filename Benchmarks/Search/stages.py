"""The measurements of an engine, each stage in its own process (measure.py).

  build   the index from documents that were parsed before. Peak memory is what the process grew by; of a program its whole
          peak. Speed is megabytes of text a processor second, which other work on the machine changes little.
  query   warm: two rounds without a clock, then rounds over all queries of a class. The time of a query is the best of its
          rounds (as search-benchmark-game does); p50 and p99 are over the queries. It holds making the query, searching, and
          fetching ten ids; "floor" is that of a word that no document holds. Programs are timed by their own clock.
  truth   every matching id and the first ten, judged by the brute force.
  cold    a fresh process that opens the index and answers one query: best of 7, page cache warm.
  update  in a copy: 10 new and 10 changed documents; each is put, committed and found.
  churn   in a copy: single commits of 300 changed documents, and how fast queries for two words are before and after.
"""
import contextlib
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import threading
import time

from engine_program import Program
from records import BARE_CLASSES, CLASSES, disk_bytes, documents, queries, query, text_bytes
from truth import Truth

ROUNDS, WARM_ROUNDS = 23, 2
# Seconds for the rounds of one class; at least one round is timed, whatever it takes.
BUDGET = 4.0
COLD_RUNS = 7
CHURN = 300
UNKNOWN_WORD = "zqxjkvwzq"


def milliseconds(value):
    return round(value * 1000, 2)


def is_asked(engine, name):
    return name in CLASSES or (name in BARE_CLASSES and isinstance(engine, Program))


def resident_bytes():
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) * 1024


@contextlib.contextmanager
def peak_memory():
    """A list whose last entry, after the block, is by how many bytes this process grew."""
    base, stop, seen = resident_bytes(), threading.Event(), []
    seen.append(base)

    def watch():
        while not stop.wait(0.05):
            seen.append(resident_bytes())
    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        stop.set()
        thread.join()
        seen.append(max(seen) - base)


def build(options, engine, path):
    shutil.rmtree(path, ignore_errors=True)
    text = text_bytes(options.corpus)
    if isinstance(engine, Program):
        told = engine.build(options.corpus, path, options.threads)
        took, count, peak = told["index_s"], told["docs"], told.pop("peak_bytes")
    else:
        parsed = list(documents(options.corpus))
        count = len(parsed)
        with peak_memory() as seen:
            processor, began = time.process_time(), time.perf_counter()
            told = engine.build(parsed, path, options.threads)
            took = time.perf_counter() - began
            told["cpu_s"] = round(time.process_time() - processor, 2)
        peak = seen[-1]
    size = disk_bytes(path)
    return {
        "docs": count, "text_mb": round(text / 1e6, 1), "index_s": round(took, 2), "peak_rss_mb": round(peak / 1e6),
        "index_mb": round(size / 1e6, 1), "index_over_text": round(size / text, 3),
        "mb_per_cpu_s": round(text / 1e6 / told["cpu_s"], 2), "load": os.getloadavg()[0], **told,
    }


def timed(engine, ask, request):
    """Microseconds of one query."""
    began = time.perf_counter_ns()
    ask(request)
    elapsed = (time.perf_counter_ns() - began) / 1000
    return engine.microseconds if isinstance(engine, Program) else elapsed


def percentiles(values):
    values = sorted(values)
    return {"p50": round(values[len(values) // 2], 1), "p99": round(values[min(len(values) - 1, len(values) * 99 // 100)], 1)}


def time_class(engine, ask, requests):
    """The best time of each request over the rounds, as percentiles over the requests."""
    times = [[] for _ in requests]
    end = time.perf_counter() + BUDGET
    for number in range(ROUNDS):
        for at, request in enumerate(requests):
            microseconds = timed(engine, ask, request)
            if number >= WARM_ROUNDS or time.perf_counter() > end:
                times[at].append(microseconds)
        now = time.perf_counter()
        if (number >= 4 and now > end) or (number >= 1 and now > end + BUDGET):
            break
    best = [min(each) for each in times if each]
    return {**percentiles(best), "mean": round(sum(best) / len(best), 1), "rounds": min(map(len, times))}


def corrections(all_queries):
    """Words of the queries with a slip in them: a letter replaced, left out, put in, or exchanged with its neighbour."""
    slips = []
    for number, word in enumerate(word for word in plain_words(all_queries) if len(word) >= 5):
        at = 1 + number % (len(word) - 2)
        wrong = "q" if word[at] != "q" else "x"
        slips.append([word[:at] + wrong + word[at + 1:], word[:at] + word[at + 1:], word[:at] + wrong + word[at:],
                      word[:at] + word[at + 1] + word[at] + word[at + 2:]][number % 4])
    return slips


def plain_words(all_queries):
    terms = sorted({term for each in all_queries for term in each["terms"]})
    return [term for term in terms if term.isascii() and term.isalpha() and term == term.lower()]


def short_prefixes(all_queries):
    """Prefixes of one and of two letters."""
    found = sorted({word[:length] for word in plain_words(all_queries) for length in (1, 2)})
    return [{**query([]), "prefix": prefix} for prefix in found]


def query_stage(options, engine, path):
    engine.open(path)
    all_queries = queries(options.queries)
    by_class = {}
    for each in all_queries:
        if is_asked(engine, each["class"]):
            by_class.setdefault(each["class"], []).append(each)
    by_class["floor"] = [query([UNKNOWN_WORD])] * 5
    times = {name: time_class(engine, engine.search, requests) for name, requests in by_class.items()}
    if hasattr(engine, "search_without_ids"):
        for name, requests in by_class.items():
            times[name + "_noids"] = time_class(engine, engine.search_without_ids, requests)
    more = {}
    if isinstance(engine, Program):
        # No other engine answers these exactly.
        for name, ask, requests in (("prefix of 1-2 letters", engine.search, short_prefixes(all_queries)),
                                    ("typo, corrections", engine.correct, corrections(all_queries))):
            if requests:
                more[name] = {**time_class(engine, ask, requests), "queries": len(requests)}
    engine.close()
    return {"us": times, "more": more, "rss_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3)}


def truth_stage(options, engine, path):
    truth = Truth.read(options.truth)
    engine.open(path)

    def answers():
        for each in queries(options.queries):
            if is_asked(engine, each["class"]):
                yield each["qid"], {"ids": engine.all_ids(each), "top": engine.search(each)}
    correct = truth.judge_classes(answers())
    engine.close()
    return {"correct": correct}


def two_words(options):
    return [each for each in queries(options.queries) if each["class"] == "and2"]


def cold(options, engine, path):
    asked = two_words(options)[0]
    if isinstance(engine, Program):
        taken = []
        for _ in range(COLD_RUNS):
            began = time.perf_counter()
            engine.open(path)
            engine.search(asked)
            taken.append(time.perf_counter() - began)
            engine.close()
        return {"process_ms": milliseconds(statistics.median(taken)), "best_ms": milliseconds(min(taken))}
    command = [sys.executable, os.path.abspath(sys.argv[0]), *sys.argv[1:], "--stage", "first-query"]
    inside = [json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout)
              for _ in range(COLD_RUNS)]
    return {name: min(each[name] for each in inside) for name in ("open_ms", "first_query_ms")}


def first_query(options, engine, path):
    """The inner process of `cold`."""
    began = time.perf_counter()
    engine.open(path)
    opened = time.perf_counter()
    engine.search(two_words(options)[0])
    return {"open_ms": milliseconds(opened - began), "first_query_ms": milliseconds(time.perf_counter() - opened)}


@contextlib.contextmanager
def copy_of(path):
    copy = path + ".copy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(path, copy)
    try:
        yield copy
    finally:
        shutil.rmtree(copy, ignore_errors=True)


def update(options, engine, path):
    with copy_of(path) as copy:
        engine.open(copy)
        before, taken, missed = disk_bytes(copy), [], 0
        for number, document in enumerate(list(documents(options.corpus, 40))[20:40]):
            word = f"zzup{chr(97 + number)}qx"
            document["text"] = word + " " + document["text"]
            if number < 10:
                document["id"] = document["id"][:-4] + f"{number:04x}"
            began = time.perf_counter()
            engine.put(document)
            engine.commit()
            found = engine.search(query([word]))
            taken.append(time.perf_counter() - began)
            missed += found != [document["id"]]
        grown = disk_bytes(copy) - before
        engine.close()
    return {
        "best_new_ms": milliseconds(min(taken[:10])), "best_changed_ms": milliseconds(min(taken[10:])),
        "new_ms": milliseconds(statistics.median(taken[:10])), "changed_ms": milliseconds(statistics.median(taken[10:])),
        "worst_ms": milliseconds(max(taken)), "missed": missed, "bytes_grown": grown,
    }


def churn(options, engine, path):
    asked = two_words(options)

    def median_of_best():
        best = sorted(min(timed(engine, engine.search, each) for _ in range(5)) for each in asked)
        return round(best[len(best) // 2], 1)
    with copy_of(path) as copy:
        engine.open(copy)
        median_of_best()
        before, size_before = median_of_best(), disk_bytes(copy)
        taken = []
        for document in documents(options.corpus, CHURN):
            document["text"] = "zzchurnq " + document["text"]
            began = time.perf_counter()
            engine.put(document)
            engine.commit()
            taken.append(time.perf_counter() - began)
        after = median_of_best()
        files = sum(len(names) for _, _, names in os.walk(copy))
        size_after = disk_bytes(copy)
        engine.close()
    taken.sort()
    return {
        "commits": len(taken), "commit_median_ms": milliseconds(taken[len(taken) // 2]),
        "commit_p99_ms": milliseconds(taken[len(taken) * 99 // 100]), "and2_p50_before_us": before,
        "and2_p50_after_us": after, "index_mb_before": round(size_before / 1e6, 1),
        "index_mb_after": round(size_after / 1e6, 1), "files_after": files,
    }


STAGES = {"build": build, "query": query_stage, "truth": truth_stage, "cold": cold, "update": update, "churn": churn,
          "first-query": first_query}

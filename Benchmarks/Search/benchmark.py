#!/usr/bin/env python3
"""Prints what searching costs beside other engines, in one run, and whether the answers are right.

  Scripts/search-benchmark                        10,000 documents, tantivy and FTS5 beside
  Scripts/search-benchmark --documents 100000     all packages (650 MB to download, 7 GB on disk)
  Scripts/search-benchmark --exact                1,000 made-up documents without any download, judged, not timed; fails
                                                  unless every class has the right answers and the right first ten
  Scripts/search-benchmark --corpus FILE --queries FILE

Without --corpus it downloads documentation packages of Debian and makes a corpus of their texts; without --queries it makes
queries from the corpus's own words. A brute force decides what each query should find. Times are microseconds within the
engines, the best of several rounds, p50 / p99 over the queries of a class. On a busy machine only the ratios mean something.
Benchmarks/Search/README.md says how it is measured. $SBFS_BENCH is the program that is measured, or .build/release/sbfs-bench.
"""
import argparse
import json
import os
import shlex
import subprocess
import sys

import made_up_corpus
import make_queries
from records import BARE_CLASSES, CLASSES, queries
from truth import Truth

HERE = os.path.dirname(os.path.abspath(__file__))
# The largest corpus for which the short list of packages is enough, and its first documents a fair sample.
MOST_OF_SMALL = 10000
PLAIN_FILES = ("ripgrep", "recoll")
MADE_UP_DOCUMENTS = 1000


def say(text):
    print(text, file=sys.stderr, flush=True)


def make_inputs(options):
    """Makes corpus and queries that were not given. Existing files are used again."""
    os.makedirs(options.work, exist_ok=True)
    if not options.corpus:
        packages = options.packages or os.path.join(
            HERE, "packages-small.txt" if options.documents <= MOST_OF_SMALL and not options.sections else "packages.txt")
        kind = os.path.splitext(os.path.basename(packages))[0] + (f"-{options.sections}" if options.sections else "")
        options.corpus = os.path.join(options.work, f"corpus-{kind}-{options.documents}.jsonl")
        if not os.path.exists(options.corpus):
            command = [sys.executable, os.path.join(HERE, "make_corpus.py"), "--work", options.work, "--packages", packages,
                       "--documents", str(options.documents), "--out", options.corpus, "--sections", str(options.sections)]
            if subprocess.run(command).returncode:
                sys.exit("the corpus could not be made")
    if not options.queries:
        options.queries = f"{os.path.splitext(options.corpus)[0]}-queries-{options.seed}.jsonl"
        counts = make_queries.make_queries(options.corpus, options.queries, options.seed, options.per_class)
        say("queries: " + ", ".join(f"{name} {count}" for name, count in counts.items()))


def make_truth(options):
    name = os.path.splitext(os.path.basename(options.queries))[0] + "-of-" + os.path.basename(options.corpus) + ".truth"
    options.truth = os.path.join(options.work, name)
    newest = max(os.path.getmtime(options.corpus), os.path.getmtime(options.queries))
    if not os.path.exists(options.truth) or os.path.getmtime(options.truth) < newest:
        say("brute force: what each query should find")
        Truth.by_brute_force(options.corpus, options.queries).write(options.truth)


def measure(options, engine, stage):
    say(f"{engine}: {stage}")
    command = [
        sys.executable, os.path.join(HERE, "measure.py"), "--engine", engine, "--stage", stage, "--corpus", options.corpus,
        "--queries", options.queries, "--work", options.work, "--threads", str(options.threads),
        "--program", f"{shlex.quote(options.bench)} search",
    ]
    if options.truth:
        command += ["--truth", options.truth]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{engine}: {stage} failed with status {done.returncode}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def measure_all(options):
    """{engine: {stage: figures}}, ours last."""
    figures = {}
    for engine in [*options.engines, "sbfs"]:
        if engine in PLAIN_FILES:
            names = ["all"]
        else:
            names = ([] if options.skip_build else ["build"]) + ["query"] + (["truth"] if options.truth else [])
            names += ["cold", "update"] + (["churn"] if engine == "sbfs" else [])
        figures[engine] = {name: measure(options, engine, name) for name in names}
    return figures


def time_of(figures, name):
    """p50 and p99; of an engine that is asked with and without fetching ids, the faster one's."""
    times = figures["query"]["us"]
    return min(((times[key]["p50"], times[key]["p99"]) for key in (name, name + "_noids") if key in times), default=None)


def judged(figures, name):
    correct = figures.get("truth", {}).get("correct", {}).get(name)
    if not correct:
        return "-"
    return ", ".join(f"{correct[key]:g}" for key in ("precision", "recall", "top10_overlap"))


def cell(pair):
    return f"{pair[0]:g} / {pair[1]:g}" if pair else "-"


def print_times(figures):
    engines = [engine for engine in figures if engine not in PLAIN_FILES]
    first = engines[0] if len(engines) > 1 else None
    titles = ["class", *engines] + ([f"sbfs / {first}"] if first else [])
    titles += [f"{engine}: precision, recall, first ten" for engine in engines]
    print("| " + " | ".join(titles) + " |\n|" + "---|" * len(titles))
    for name in CLASSES + BARE_CLASSES + ["floor"]:
        times = [time_of(figures[engine], name) for engine in engines]
        row = [name, *map(cell, times)]
        if first:
            ratio = times[0] and times[-1] and (times[-1][0] / times[0][0], times[-1][1] / times[0][1])
            row.append(f"{ratio[0]:.2f} / {ratio[1]:.2f}" if ratio else "-")
        print("| " + " | ".join(row + [judged(figures[engine], name) for engine in engines]) + " |")


def print_rest(engine, figures):
    for stage, found in figures.items():
        if stage == "build":
            print(f"{engine}: {found['mb_per_cpu_s']} MB of text a CPU second, {found['index_s']} s, "
                  f"peak {found['peak_rss_mb']} MB, index / text {found['index_over_text']}")
        elif stage == "cold":
            print(f"{engine}: a fresh process: " + ", ".join(f"{key} {value}" for key, value in found.items()))
        elif stage == "update":
            print(f"{engine}: a document changed, durable and found: new {found['new_ms']} ms, changed "
                  f"{found['changed_ms']} ms (medians), {found['missed']} missed")
        elif stage == "churn":
            print(f"{engine}: {found['commits']} single commits: and2 {found['and2_p50_before_us']} → "
                  f"{found['and2_p50_after_us']} µs")
        elif stage == "query":
            for name, times in found["more"].items():
                print(f"{engine}: {name}: {times['p50']:g} / {times['p99']:g} µs over {times['queries']}")
        elif stage == "all":
            for name, times in found["process_us"].items():
                print(f"{engine}: {name}: whole processes, median {times['p50'] / 1000:g} ms, "
                      f"longest {times['max'] / 1000:g} ms{recall_of(found, name)}")
            rest = {key: value for key, value in found.items() if key not in ("process_us", "correct")}
            if rest:
                print(f"{engine}: " + ", ".join(f"{key} {value}" for key, value in rest.items()))


def recall_of(found, name):
    correct = found.get("correct", {}).get(name)
    return f", precision {correct['precision']:g}, recall {correct['recall']:g}" if correct else ""


def wrong_answers(figures):
    """One line for each class whose answers or whose first ten are not those of the brute force."""
    lines = []
    for name, correct in figures["truth"]["correct"].items():
        for measure_name in ("precision", "recall", "exact", "top10_overlap", "top10_order"):
            if correct[measure_name] != 1:
                lines.append(f"{name}: {measure_name} {correct[measure_name]}")
    return lines


def exact(options):
    """Judges our answers on made-up documents; no other engine, no figures of time."""
    os.makedirs(options.work, exist_ok=True)
    options.corpus = os.path.join(options.work, f"made-up-{options.seed}.jsonl")
    options.queries = os.path.join(options.work, f"made-up-{options.seed}-queries.jsonl")
    made_up_corpus.make_corpus(options.documents or MADE_UP_DOCUMENTS, options.corpus, options.seed)
    counts = make_queries.make_queries(options.corpus, options.queries, options.seed, options.per_class)
    empty = [name for name in CLASSES + BARE_CLASSES if counts[name] < options.per_class]
    if empty:
        sys.exit(f"too few queries of the classes {', '.join(empty)}: nothing is proved of them")
    make_truth(options)
    figures = {stage: measure(options, "sbfs", stage) for stage in ("build", "truth")}
    judged_classes = figures["truth"]["correct"]
    unasked = set(CLASSES + BARE_CLASSES) - set(judged_classes)
    lines = wrong_answers(figures) + [f"{name}: was not asked" for name in sorted(unasked)]
    if lines:
        sys.exit("answers that are not those of the brute force:\n" + "\n".join(lines))
    found = Truth.read(options.truth)
    answers = sum(len(found.matching[each["qid"]]) for each in queries(options.queries) if each["class"] in judged_classes)
    say(f"{options.per_class * len(judged_classes)} queries of {len(judged_classes)} classes over {len(found.ids)} documents: "
        f"all {answers} answers and every first ten are those of the brute force")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, help="10,000 of the packages, 1,000 with --exact")
    parser.add_argument("--seed", type=int, default=1, help="of the queries, and of made-up documents")
    parser.add_argument("--per-class", type=int, default=100, help="queries of a class")
    parser.add_argument("--corpus", help="JSON documents, one a line")
    parser.add_argument("--queries", help="JSON queries, one a line")
    parser.add_argument("--packages", help="a file with the names of Debian packages")
    parser.add_argument("--sections", type=int, default=0, help="cuts the texts into pieces of so many characters")
    parser.add_argument("--engines", default="tantivy,fts5", help="of tantivy, fts5, ripgrep, recoll; may be empty")
    parser.add_argument("--threads", type=int, default=1, help="of the build")
    parser.add_argument("--no-truth", action="store_true", help="does not judge the answers")
    parser.add_argument("--skip-build", action="store_true", help="takes the indexes that are in --work")
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--work", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--bench", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.truth = None
    if options.exact:
        exact(options)
        return
    options.engines = [engine for engine in options.engines.split(",") if engine]
    unknown = set(options.engines) - {"tantivy", "fts5", *PLAIN_FILES}
    if unknown:
        parser.error(f"unknown engines: {', '.join(sorted(unknown))}")
    options.documents = options.documents or MOST_OF_SMALL
    make_inputs(options)
    if not options.no_truth:
        make_truth(options)
    figures = measure_all(options)
    print(f"{options.corpus}, {options.queries}\n")
    print_times(figures)
    print()
    for engine, found in figures.items():
        print_rest(engine, found)


if __name__ == "__main__":
    main()

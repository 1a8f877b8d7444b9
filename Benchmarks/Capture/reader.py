#!/usr/bin/env python3
"""Judges how well a program reads pages whose article, title, author and day are known.

  reader.py --serve 'PROGRAM' --label NAME [--scrapinghub DIR] [--readability DIR] [--trafilatura DIR] [--htmldate DIR]
            [--pack DIR] [--part visible|heldout|all] [--limit N] [--json FILE]
  reader.py --write-pack OUT …     writes the cases and their pages into one folder, for --pack

PROGRAM is started once, see extractor.py. The folders are checkouts of the sets' repositories, see README.md. The halves are
by a hash of a page's name: rules that were made while looking at one half are judged by the other.
"""
import argparse
import json
import os
import sys
import tempfile
import time

import reader_cases
from extractor import Extractor
from reader_scores import all_scores


def speed(sizes, seconds, wall, errors):
    ordered = sorted(seconds)
    return {
        "n": len(sizes), "pages/s": len(sizes) / wall, "MB/s": sum(sizes) / 1e6 / wall, "MB": sum(sizes) / 1e6,
        "p50 ms": 1000 * ordered[len(ordered) // 2], "p95 ms": 1000 * ordered[int(len(ordered) * 0.95)],
        "max ms": 1000 * ordered[-1], "errors": errors,
    }


def run(cases, command):
    """[(case, answer)], and the figures of speed."""
    extractor, results, seconds, sizes = Extractor(command), [], [], []
    with tempfile.TemporaryDirectory(prefix="reader-") as folder:
        paths = []
        for number, case in enumerate(cases):
            # Every program gets a plain .html file.
            path = os.path.join(folder, f"{number}.html")
            with open(path, "wb") as file:
                sizes.append(file.write(reader_cases.page(case)))
            paths.append(path)
        _, start = extractor.ask(paths[0], cases[0]["url"])
        print(f"the first page with the start of the program: {start:.2f} s", file=sys.stderr)
        extractor.errors = 0
        began = time.perf_counter()
        for case, path in zip(cases, paths):
            answer, took = extractor.ask(path, case["url"])
            results.append((case, answer))
            seconds.append(took)
        wall = time.perf_counter() - began
    extractor.close()
    return results, speed(sizes, seconds, wall, extractor.errors)


def print_scores(scores):
    for name, found in scores.items():
        shown = (f"{key}={value if isinstance(value, int) else format(value, '.3f')}" for key, value in found.items())
        print(f"{name:20} " + "  ".join(shown))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in reader_cases.SETS:
        parser.add_argument("--" + name, metavar="DIR")
    parser.add_argument("--serve", metavar="PROGRAM")
    parser.add_argument("--label")
    parser.add_argument("--part", default="all", choices=["all", "visible", "heldout"])
    parser.add_argument("--limit", type=int, default=0, help="at most so many cases of each set")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--write-pack", metavar="OUT")
    options = parser.parse_args()
    cases = reader_cases.cases({name: getattr(options, name) for name in reader_cases.SETS}, options.part, options.limit)
    if not cases:
        sys.exit("no cases: give the folder of at least one set, see Benchmarks/Capture/README.md")
    if options.write_pack:
        reader_cases.write_pack(cases, options.write_pack)
        return
    if not options.serve:
        parser.error("--serve or --write-pack is needed")
    results, figures = run(cases, options.serve)
    scores = {**all_scores(results), "speed": figures}
    print(f"# {options.label or options.serve}: {options.part}")
    print_scores(scores)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"label": options.label, "scores": scores, "pages": [
                {"set": case["set"], "name": case["name"], **{key: answer.get(key) for key in ("title", "author", "date")}}
                for case, answer in results]}, file, ensure_ascii=False, indent=0)


if __name__ == "__main__":
    main()

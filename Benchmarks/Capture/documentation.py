#!/usr/bin/env python3
"""Saves fifty pages of installed documentation, of ten generators, and compares them with the live pages in Chromium.

  documentation.py --sbfs PROGRAM --work DIR [--only NAME,NAME] [--keep]     a row for each page
  documentation.py --sbfs PROGRAM --work DIR --batch 1,2,3,4 [--rounds N]    one library, all pages, that many at once

A row has: the status of the capture; the share of pixels that differ; of the words that the page's own part shows, the share that
reader.html shows too (kept), and of the words of reader.html, the share that the page's own part shows (own); seconds of the
capture, with a new browser. --keep keeps pages and pictures in DIR.
"""
import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import time

import documentation_pages
from browser import OFFLINE, Browser
from saved_page import difference, look

WORD = re.compile(r"\w+")


def words(text):
    return collections.Counter(WORD.findall(text.lower()))


def share(part, whole):
    """The share of the words of `whole` that `part` has, counted as often as they are there."""
    return sum((part & whole).values()) / max(1, sum(whole.values()))


class Comparison:
    """The live page, the saved one and the article alone, in two browsers."""

    def __init__(self, options):
        self.options, self.live, self.offline = options, Browser(), Browser(OFFLINE)

    def row(self, page, url, folder):
        shown = f"(document.querySelector({json.dumps(page.main)}) || document.body).innerText"
        live = look(self.live, url, ask=lambda opened: {"text": opened.evaluate(shown) or ""})
        out = os.path.join(folder, "out")
        began = time.perf_counter()
        ended = subprocess.run([self.options.sbfs, "capture", url, out], capture_output=True, text=True, check=False)
        row = {"seconds": time.perf_counter() - began, "status": "failed", "difference": 1.0, "kept": 0.0, "own": 0.0}
        if ended.returncode != 0:
            return {**row, "said": ended.stderr.strip()}
        row["status"] = json.loads(ended.stdout)["status"]
        saved = look(self.offline, "file://" + os.path.join(out, "page.html"))
        reader = look(self.offline, "file://" + os.path.join(out, "reader.html"), scrolls=False, takes_picture=False,
                      ask=lambda opened: {"text": opened.evaluate("document.body.innerText")})
        row["difference"] = difference(live["png"], saved["png"])
        row["kept"], row["own"] = share(words(reader["text"]), words(live["text"])), share(words(live["text"]), words(reader["text"]))
        if self.options.keep:
            for name, seen in (("live", live), ("saved", saved)):
                with open(os.path.join(folder, name + ".png"), "wb") as file:
                    file.write(seen["png"])
            for name, seen in (("live", live), ("reader", reader)):
                documentation_pages.write(os.path.join(folder, name + ".txt"), seen["text"])
        return row

    def close(self):
        self.live.close()
        self.offline.close()


def compare(options, origin, pages):
    comparison, rows = Comparison(options), []
    try:
        for page in pages:
            folder = os.path.join(options.work, "pages", page.generator, page.name)
            os.makedirs(folder)
            row = comparison.row(page, origin + page.path, folder)
            rows.append(row)
            print(f"{page.generator:8} {page.name[-34:]:34} {row['status']:8} diff={row['difference']:.4f} kept={row['kept']:.3f} "
                  f"own={row['own']:.3f} {row['seconds']:5.2f}s {row.get('said', '')[:120]}", flush=True)
            if not options.keep:
                shutil.rmtree(folder)
    finally:
        comparison.close()

    def median(key):
        return sorted(row[key] for row in rows)[len(rows) // 2]
    print(f"\npages {len(rows)}  full {sum(row['status'] == 'full' for row in rows)}  "
          f"no pixel differs {sum(row['difference'] == 0 for row in rows)}  "
          f"below 0.1 % {sum(row['difference'] < 0.001 for row in rows)}  kept median {median('kept'):.3f} "
          f"mean {sum(row['kept'] for row in rows) / len(rows):.3f}  own median {median('own'):.3f} "
          f"mean {sum(row['own'] for row in rows) / len(rows):.3f}  seconds median {median('seconds'):.2f}")


def batch(options, origin, pages):
    """Saves all pages with one command, with each number of pages at once in turn."""
    urls = "".join(origin + page.path + "\n" for page in pages)
    environment = {**os.environ, "CAPTURE_ALLOW": origin.split("//")[1]}
    for turn in range(options.rounds):
        for jobs in options.batch.split(","):
            library = os.path.join(options.work, f"library-{turn}-{jobs}")
            program = [options.sbfs, "--library", library]
            subprocess.run([*program, "init"], check=True, capture_output=True)
            subprocess.run([*program, "add", "--no-archive", "--input", "-"], input=urls, text=True, check=True, capture_output=True,
                           env=environment)
            before, began = os.times(), time.perf_counter()
            ended = subprocess.run([*program, "archive", "--all", "-j", jobs], capture_output=True, text=True, check=False,
                                   env=environment)
            seconds, after = time.perf_counter() - began, os.times()
            processor = after.children_user + after.children_system - before.children_user - before.children_system
            print(f"round {turn + 1}  at once {jobs}  {seconds:6.1f} s  {len(pages) / seconds:.2f} pages/s  processor "
                  f"{processor:.1f} s  {(ended.stderr.strip().splitlines() or ['-'])[-1]}", flush=True)
            shutil.rmtree(library)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sbfs", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--only", help="generators or parts of names, with commas")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--batch", help="numbers of pages at once, with commas")
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    options.work = os.path.join(os.path.abspath(options.work), "documentation")
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    pages = documentation_pages.pages()
    if options.only:
        pages = [page for page in pages
                 if any(part == page.generator or part in page.name for part in options.only.split(","))]
    if not pages:
        sys.exit("no page was chosen")
    made = os.path.join(options.work, "made")
    documentation_pages.make(made)
    origin = documentation_pages.serve(made)
    (batch if options.batch else compare)(options, origin, pages)


if __name__ == "__main__":
    main()

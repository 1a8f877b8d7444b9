#!/usr/bin/env python3
"""Measures one engine in one stage, and prints one JSON object; Scripts/search-benchmark calls it.

  measure.py --engine sbfs|tantivy|fts5|ripgrep|recoll --stage NAME --corpus FILE --queries FILE --work DIR
             [--truth FILE] [--program "PROGRAM search"] [--threads N]

The stages are those of stages.py; ripgrep and recoll have one, "all". Indexes lie in DIR.
"""
import argparse
import json
import os
import shlex

import plain_files
import stages
from engine_fts5 import FTS5
from engine_program import Program
from engine_tantivy import Tantivy

PLAIN_FILES = {"ripgrep": plain_files.ripgrep, "recoll": plain_files.recoll}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True)
    parser.add_argument("--stage", required=True, choices=["all", *stages.STAGES])
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--queries", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--truth", help="made by truth.py; without it nothing is judged")
    parser.add_argument("--program", help="of the engine sbfs: any program that speaks the protocol of engine_program.py")
    parser.add_argument("--threads", type=int, default=1, help="of the build, and of ripgrep")
    options = parser.parse_args()
    if options.engine in PLAIN_FILES:
        print(json.dumps(PLAIN_FILES[options.engine](options)))
        return
    make = {"tantivy": Tantivy, "fts5": FTS5, "sbfs": lambda: Program(shlex.split(options.program))}[options.engine]
    name = f"index-{options.engine}-{os.path.splitext(os.path.basename(options.corpus))[0]}"
    path = os.path.join(options.work, name + (f"-{options.threads}-threads" if options.threads > 1 else ""))
    print(json.dumps(stages.STAGES[options.stage](options, make(), path)))


if __name__ == "__main__":
    main()

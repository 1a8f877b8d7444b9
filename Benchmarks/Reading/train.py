#!/usr/bin/env python3
"""Trains the model of main text on pages whose text is known, and judges it on hosts that it has not seen.

  train.py --bench PROGRAM --work DIR [--wcxb DIR] [--scrapinghub DIR] [--readability DIR] [--trafilatura DIR] [--htmldate DIR]
           [--pack DIR] [--folds K] [--seed N] [--table FILE] [--only-table]

The blocks of the pages and their features come from PROGRAM (sbfs-bench). For each fold, a model is trained on the pages of the
other folds, and PROGRAM itself reads the pages of the fold with it, so that what is judged is what runs. --table writes the model
of all pages as Swift source. Features and models are kept in DIR.
"""
import argparse
import os
import sys

import sample
import trees


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--work", required=True)
    for name in ("wcxb", *sample.reader_cases.SETS):
        parser.add_argument("--" + name, metavar="DIR")
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1, help="another choice of splits and blocks by chance")
    parser.add_argument("--table", metavar="FILE")
    parser.add_argument("--only-table", action="store_true", help="does not judge")
    options = parser.parse_args()
    folders = {name: getattr(options, name) for name in ("wcxb", *sample.reader_cases.SETS)}
    cases = sample.all_cases(folders)
    if not cases:
        sys.exit("no pages: give the folder of at least one set, see Benchmarks/Capture/README.md")
    cases = sample.read(cases, options.bench, options.work)
    count = next(case["features"].shape[1] for case in cases if case["texts"])
    if options.table:
        data = trees.table(trees.train(cases, options.seed), count)
        about = ", ".join(f"{sum(case['set'] == name for case in cases):,} pages of {name}" for name in trees.TRAINING_SETS)
        with open(options.table, "w", encoding="utf-8") as file:
            file.write(trees.swift(data, about))
        with open(os.path.join(options.work, "model-all"), "wb") as file:
            file.write(data)
        print(f"{options.table}: {len(data):,} bytes", flush=True)
    if options.only_table:
        return
    import folds
    answers = {}
    for number in range(options.folds):
        path = os.path.join(options.work, f"model-{number}")
        with open(path, "wb") as file:
            others = [case for case in cases if sample.fold(case, options.folds) != number]
            file.write(trees.table(trees.train(others, options.seed), count))
        own = [case for case in cases if sample.fold(case, options.folds) == number]
        answers.update(folds.answers(own, [options.bench, "read", "articles", "--model", path]))
        print(f"fold {number}: {len(own)} pages", flush=True)
    folds.report("sbfs, models of other hosts", cases, answers)


if __name__ == "__main__":
    main()

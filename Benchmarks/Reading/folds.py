#!/usr/bin/env python3
"""Figures of reading over all sets together.

  folds.py --label NAME --serve 'PROGRAM' [--wcxb DIR] [--scrapinghub DIR] …    a program as it is, see ../Capture/extractor.py

`train.py` uses the same figures for models that have not seen the pages' hosts.
"""
import argparse
import os
import shlex
import tempfile

import sample
from sample import reader_cases, wcxb

import reader_scores  # noqa: E402, beside reader_cases
from extractor import Extractor  # noqa: E402


def key(case):
    return case["set"], case["name"]


def answers(cases, command):
    """{key of a case: the program's answer}"""
    extractor, found = Extractor(shlex.join(command)), {}
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "page.html")
        for case in cases:
            with open(path, "wb") as file:
                file.write(reader_cases.page(case))
            found[key(case)], case["seconds"] = extractor.ask(path, case["url"])
    extractor.close()
    return found


def report(label, cases, found):
    seconds = sum(case.get("seconds", 0) for case in cases)
    print(f"# {label}: {len(cases)} pages, {len(cases) / seconds:.0f} pages/s")
    judged = [wcxb.judge(case["name"], case["about"], found[key(case)]) for case in cases if case["set"] == "wcxb"]
    if judged:
        wcxb.print_rows(judged, argparse.Namespace(folds=0, worst=0))
    others = [(case, found[key(case)]) for case in cases if case["set"] != "wcxb"]
    for name, scores in reader_scores.all_scores(others).items() if others else ():
        print(f"{name:20} " + "  ".join(
            f"{measure}={value if isinstance(value, int) else format(value, '.3f')}" for measure, value in scores.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--serve", required=True)
    parser.add_argument("--label", default="subject")
    for name in ("wcxb", *reader_cases.SETS):
        parser.add_argument("--" + name, metavar="DIR")
    # As for train.py, whose other options mean nothing here.
    options, _ = parser.parse_known_args()
    cases = sample.all_cases({name: getattr(options, name) for name in ("wcxb", *reader_cases.SETS)})
    report(options.label, cases, answers(cases, shlex.split(options.serve)))


if __name__ == "__main__":
    main()

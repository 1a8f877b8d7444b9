"""Runs random scripts on three replicas of the model, and counts what is lost, comes back, differs or does not come to rest."""

import argparse
import json
import pathlib
import time
from collections import Counter

import edits
import git
import scripts
import shrink
import switches
import world

WIDTHS = " %5s %5s %7s %6s %6s %6s %9s"
COLUMNS = ("lost", "ghost", "unequal", "purged", "unrest", "unseen")


def world_class(kind):
    return git.GitWorld if kind.carrier == "git" else world.World


def violations(kind, ops):
    found, conflicts = world.run(kind, ops, world_class(kind))
    return {what for what, _ in found}, found, conflicts


def check(kind, count, seed, steps, show, shrunk):
    """One line of the table."""
    tally, conflicts, bad, began = Counter(), 0, 0, time.monotonic()
    for number in range(seed, seed + count):
        ops = scripts.make(kind, number, steps)
        kinds, found, more = violations(kind, ops)
        conflicts += more
        tally.update(kinds)
        wrong = kinds - {"unseen"}
        bad += bool(wrong)
        if wrong and show > 0:
            show -= 1
            report(kind, number, ops, sorted(wrong)[0], found, shrunk)
    seconds = time.monotonic() - began
    return {"kind": kind.name, "scripts": count, "bad": bad, "conflicts": conflicts, "seconds": round(seconds, 1),
            **{name: tally[name] for name in COLUMNS}}


def report(kind, seed, ops, what, found, shrunk):
    print("FAILED %s, seed %d: %s" % (kind.name, seed, "; ".join("%s %s" % pair for pair in found[:4])))
    if shrunk:
        ops = shrink.shrink(ops, lambda less: what in violations(kind, less)[0])
        _, found, _ = violations(kind, ops)
        print("  shortest: %s" % "; ".join("%s %s" % pair for pair in found[:4]))
        for number, op in ops:
            print("  %2d %s" % (number, " ".join("%s=%s" % pair for pair in op.items())))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scripts", type=int, default=100, help="scripts of each kind (100)")
    parser.add_argument("--seed", type=int, default=1, help="the first seed (1)")
    parser.add_argument("--steps", type=int, default=24, help="steps of a script (24)")
    parser.add_argument("--carrier", help="only this one: rsync, rsync-plain, syncthing, merge, mixed, git")
    parser.add_argument("--kind", action="append", help="only the kind of this name; may be repeated")
    parser.add_argument("--commands", action="store_true", help="only kinds in which commands edit")
    parser.add_argument("--editors", action="store_true", help="only kinds in which editors edit")
    parser.add_argument("--without", action="append", default=[], metavar="RULE", help="switch a rule off; --list names them")
    parser.add_argument("--former", action="append", default=[], metavar="RULE", help="switch a former rule on")
    parser.add_argument("--with", dest="tried", action="append", default=[], metavar="RULE", choices=list(switches.TRIED),
                        help="switch a rule on that was tried")
    parser.add_argument("--words", type=int, metavar="N", help="how many words there are to write with (20)")
    parser.add_argument("--prose", action="store_true",
                        help="paragraphs of 5 to 15 words; half of the edits of a text change 1 to 3 words of one")
    parser.add_argument("--show", type=int, default=2, help="failures of each kind that are printed (2)")
    parser.add_argument("--no-shrink", action="store_true", help="print failing scripts without the search for a shorter one")
    parser.add_argument("--json", help="write the table to this file")
    parser.add_argument("--most", type=int, default=0, help="fail if more scripts than this have a violation (0)")
    parser.add_argument("--list", action="store_true", help="list kinds and rules")
    options = parser.parse_args()
    if options.list:
        print("\n".join(["kinds:", *("  " + name for name in scripts.kinds()), "rules:",
                         *("  %-20s %s" % pair for pair in {**switches.RULES, **switches.FORMER, **switches.TRIED}.items())]))
        return 0
    switches.OFF.update(options.without)
    switches.FORMER_ON.update(options.former)
    switches.TRIED_ON.extend(options.tried)
    edits.write(options.words, options.prose)
    chosen = [kind for kind in scripts.kinds().values()
              if (not options.kind or kind.name in options.kind) and options.carrier in (None, kind.carrier)
              and (not options.commands or kind.who == "command") and (not options.editors or kind.who == "editor")]
    if not chosen:
        parser.error("no such kind; --list names them")
    rows = []
    print(("%-36s %7s %6s" + WIDTHS) % ("kind", "scripts", "failed", *COLUMNS, "conflicts"))
    for kind in chosen:
        row = check(kind, options.scripts, options.seed, options.steps, options.show, not options.no_shrink)
        rows.append(row)
        cells = [row[name] for name in ("kind", "scripts", "bad", *COLUMNS, "conflicts", "seconds")]
        print(("%-36s %7s %6s" + WIDTHS + "  %.1f s") % tuple(cells), flush=True)
    total = {name: sum(row[name] for row in rows) for name in ("scripts", "bad", *COLUMNS, "conflicts")}
    print(("%-36s %7s %6s" + WIDTHS) % ("all", *total.values()))
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")
    return 1 if total["bad"] > options.most else 0

"""Random edits on copies of a library that a program carries; see Scripts/replicas."""
import argparse
import concurrent.futures
import sys
import time
import traceback

from carriers import CARRIERS
from oracle import judge
from steps import Trace
from world import COLLECTION, Failure, World


def options():
    parser = argparse.ArgumentParser(prog="replicas", description=(
        "Edits copies of one library at random, has a program carry them, and looks at what came of each edit when "
        "everything has met. Ends with 1 if an edit that some sbfs saw is lost, if something removed is back (but for editors, "
        "where it is counted), or if the copies differ."))
    parser.add_argument("carrier", choices=sorted(CARRIERS), help="the program that carries files")
    parser.add_argument("--sbfs", required=True, metavar="PATH", help="the program sbfs")
    parser.add_argument("--scripts", type=int, default=20, metavar="N", help="the number of random scripts (20)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="the first script's seed (1)")
    parser.add_argument("--copies", type=int, default=3, metavar="N", help="the number of copies, 2 to 4 (3)")
    parser.add_argument("--steps", type=int, default=24, metavar="N", help="edits and meetings of one script (24)")
    parser.add_argument("--rounds", type=int, default=4, metavar="N", help="meetings of all at the end (4)")
    parser.add_argument("--editors", action="store_true", help="edits are saved by an editor, not by sbfs")
    parser.add_argument("--unseen", type=float, default=0.0, metavar="SHARE", help="share of an editor's edits that no sbfs sees (0)")
    parser.add_argument("--new", action="store_true", help="no sbfs sees a new copy before it is edited")
    parser.add_argument("--late", action="store_true", help="rsync brings items before their history/, with work in between")
    parser.add_argument("--documents", action="store_true", help="items have documents, which commands and programs replace, rename and take out")
    parser.add_argument("--clocks", action="store_true", help="the copies' clocks differ by days")
    parser.add_argument("--settle", default="watch --once", help="the command that takes in other programs' changes (watch --once)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="scripts at a time (2)")
    parser.add_argument("--scratch", metavar="DIR", help="where the copies are made")
    parser.add_argument("--keep", action="store_true", help="keep the copies of scripts that failed")
    parser.add_argument("--trace", action="store_true", help="print each step, and the versions that it made; for one script")
    wanted = parser.parse_args()
    if wanted.trace and wanted.scripts != 1:
        parser.error("--trace needs --scripts 1")
    if wanted.documents and wanted.carrier in ("git", "forge"):
        parser.error("of documents that two clones changed, a person keeps one: git's scripts have none")
    return wanted


def script(options, seed):
    world = World(options, seed)
    is_good, carrier = False, None
    try:
        world.copies[0].run("init")
        carrier = CARRIERS[options.carrier](world)
        pick = world.random
        if options.trace:
            world.trace = Trace().show
        world.copies[0].run("collection", "new", COLLECTION)
        for _ in range(3):
            world.edit(world.copies[0])
        world.copies[0].settle()
        for copy in world.copies[1:]:
            world.meet(carrier, world.copies[0], copy)
            # Each device looks at its copy before anybody edits it there.
            if not options.new:
                copy.settle()
        for _ in range(options.steps):
            if pick.random() < 0.72:
                world.edit(pick.choice(world.copies))
            else:
                a, b = pick.sample(world.copies, 2)
                world.meet(carrier, a, b)
                for copy in (a, b):
                    if pick.random() < 0.7:
                        copy.settle()
        for copy in world.copies:
            copy.settle()
        world.is_ending = True
        meet_all(world, carrier, options.rounds)
        verdict = judge(world, getattr(carrier, "own", None))
        if verdict.faults and options.documents:
            # A renamed document gets its name in item.json when that is two seconds old (Merge.md § 2), which may be in the last round.
            time.sleep(2.5)
            meet_all(world, carrier, options.rounds)
            verdict = judge(world, getattr(carrier, "own", None))
        is_good = not (verdict.faults or verdict.lost or verdict.ghosts)
        return verdict, len(world.edits), world.top
    finally:
        if hasattr(carrier, "end"):
            carrier.end()
        if is_good or not options.keep:
            world.remove()


def meet_all(world, carrier, rounds):
    for _ in range(rounds):
        for copy in world.copies[1:]:
            world.meet(carrier, world.copies[0], copy)
            copy.settle()
            world.copies[0].settle()


def main():
    wanted = options()
    start = time.monotonic()
    totals = dict.fromkeys(("edits", "live", "lost", "unseen", "ghosts", "conflicts"), 0)
    failed, haunted, kinds = 0, 0, {}
    with concurrent.futures.ThreadPoolExecutor(wanted.jobs) as pool:
        runs = {seed: pool.submit(script, wanted, seed) for seed in range(wanted.seed, wanted.seed + wanted.scripts)}
        for seed, run in runs.items():
            try:
                verdict, edits, top = run.result()
            except Failure as failure:
                failed += 1
                print("script %d: %s" % (seed, failure), flush=True)
                continue
            except Exception:
                failed += 1
                print("script %d: %s" % (seed, traceback.format_exc()), flush=True)
                continue
            totals["edits"] += edits
            totals["live"] += verdict.live
            totals["unseen"] += len({entry[2] for entry in verdict.lost_unseen})
            totals["conflicts"] += verdict.conflict_files
            lost, ghosts = {entry[1:]: None for entry in verdict.lost}, {entry[1:]: None for entry in verdict.ghosts}
            totals["lost"] += len(lost)
            totals["ghosts"] += len(ghosts)
            for word, entries in (("lost", lost), ("back", ghosts)):
                for entry in entries:
                    kinds[word + " " + entry[0]] = kinds.get(word + " " + entry[0], 0) + 1
            haunted += bool(ghosts)
            if verdict.faults or lost or (ghosts and not wanted.editors):
                failed += 1
                print("script %d: %s%s" % (seed, "; ".join(
                    verdict.faults[:3] + ["lost %s %s of %s" % entry for entry in list(lost)[:3]]
                    + ["back %s %s of %s" % entry for entry in list(ghosts)[:3]]), " in " + top if wanted.keep else ""), flush=True)
    print("%s, %s%s%s%s: %d scripts of %d steps on %d copies, %d failed; %d edits, %d live at the end, %d lost, %d lost that no sbfs "
          "saw, %d back in %d scripts (%.1f %%), %d conflict files; %.0f s" % (
              wanted.carrier, "editors" if wanted.editors else "commands", ", late history" if wanted.late else ", new copies" if wanted.new else "",
              (", documents" if wanted.documents else "") + (", wrong clocks" if wanted.clocks else ""), ", %d %% unseen" % (wanted.unseen * 100) if wanted.editors else "",
              wanted.scripts, wanted.steps, wanted.copies, failed, totals["edits"], totals["live"], totals["lost"], totals["unseen"],
              totals["ghosts"], haunted, 100 * haunted / wanted.scripts, totals["conflicts"], time.monotonic() - start))
    for kind in sorted(kinds):
        print("  %s: %d" % (kind, kinds[kind]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

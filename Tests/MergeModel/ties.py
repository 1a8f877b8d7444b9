#!/usr/bin/env python3
"""Of texts that are equally near to what an editor saved: which rule finds the one that the editor had before it?

Usage: ties.py [--scripts N] [--seed N] [--words N] [--prose] [--kind KIND]... [--rules RULE[,RULE]...]...
For each --rules (run --list names the rules that were tried) it counts how often they decide, and how often rightly, and the scripts that
fail with them. A script in which no two texts are equally near goes one way with all rules, and is run once.
"""

import argparse
import json
import pathlib
import sys
from collections import Counter

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import edits      # noqa: E402
import parents      # noqa: E402
import scripts      # noqa: E402
import switches      # noqa: E402
import world      # noqa: E402
from table import violations      # noqa: E402

KINDS = ("rsync, editors, lazy", "syncthing, editors, lazy", "rsync, both, lazy, cut", "syncthing, both, lazy, cut")
RULES = ("words", "words-one", "alike", "arrived", "common")


class Ties:
    """Looks on while scripts run by the rules as they are."""

    def __init__(self, rules):
        self.rules, self.counts = rules, Counter()
        self.before = {}      # text -> the texts that an editor made it from
        self.met, self.is_watching = False, True
        nearest, record = parents.nearest, world.World._record

        def watched_nearest(component, data, nodes, first=None, here=None, by_name=None):
            nodes = list(nodes)
            chosen = nearest(component, data, nodes, first, here, by_name)
            tied = parents.equally_near(component, data, nodes) if self.is_watching else []
            if tied:
                self.met = True
                if here:
                    self.look(data, tied, chosen, here)
            return chosen

        def watched_record(of_world, number, device, thing, before, after):
            if self.is_watching and len(before) > 1 and len(after) > 1 and before[1] != after[1]:
                self.before.setdefault(after[1], set()).add(before[1])
            return record(of_world, number, device, thing, before, after)

        parents.nearest, world.World._record = watched_nearest, watched_record

    def truth(self, data, texts):
        """Those of the texts that the editor began with: the nearest on the way back."""
        at, seen = {data}, set()
        while at:
            seen |= at
            at = set().union(*(self.before.get(text, ()) for text in at)) - seen
            if at & texts:
                return at & texts
        return set()

    def look(self, data, tied, chosen, here):
        true = self.truth(data, {node.content.text for node in tied})
        if not true:
            self.counts["none is true"] += 1
            return
        has_crossed = any(here.name not in node.ancestors and node.name not in here.ancestors for node in tied)
        self.counts["ties"] += 1
        self.counts["ties that crossed"] += has_crossed
        self.counts["as it is", "right"] += chosen.content.text in true
        for rules in self.rules:
            switches.TRIED_ON[:] = rules.split(",")
            left = {node.content.text for node in parents.preferred(data, tied, here)}
            switches.TRIED_ON.clear()
            decides = len(left) == 1
            self.counts[rules, "decides"] += decides
            self.counts[rules, "rightly"] += decides and left <= true
            # What it leaves is chosen as it is.
            found = left if decides else {chosen.content.text} & left or {min(left)}
            self.counts[rules, "right"] += found <= true


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scripts", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--words", type=int)
    parser.add_argument("--prose", action="store_true")
    parser.add_argument("--kind", action="append")
    parser.add_argument("--rules", action="append")
    parser.add_argument("--failing", help="write which scripts fail, and how, to this file")
    options = parser.parse_args()
    edits.write(options.words, options.prose)
    rules = options.rules or RULES
    ties, kinds, failing = Ties(rules), scripts.kinds(), []
    for name in options.kind or KINDS:
        tally, with_ties = Counter(), 0
        for seed in range(options.seed, options.seed + options.scripts):
            ties.before.clear()
            ties.met, ties.is_watching = False, True
            ops = scripts.make(kinds[name], seed)
            found = {"": violations(kinds[name], ops)[0] - {"unseen"}}
            ties.is_watching = False
            with_ties += ties.met
            for one in rules:
                switches.TRIED_ON[:] = one.split(",")
                found[one] = violations(kinds[name], ops)[0] - {"unseen"} if ties.met else found[""]
                switches.TRIED_ON.clear()
            for one, wrong in found.items():
                tally[one, "failed"] += bool(wrong)
                for what in wrong:
                    tally[one, what] += 1
            if ties.met and any(found.values()):
                failing.append({"kind": name, "seed": seed, "found": {one: sorted(wrong) for one, wrong in found.items()}})
        print("%s: %d scripts, %d with texts equally near" % (name, options.scripts, with_ties))
        print("  %-20s %6s %6s %6s %6s" % ("rules", "failed", "lost", "ghost", "other"))
        for one in ("", *rules):
            cells = [tally[one, what] for what in ("failed", "lost", "ghost")]
            other = sum(count for (rule, what), count in tally.items() if rule == one) - sum(cells)
            print("  %-20s %6d %6d %6d %6d" % (one or "as it is", *cells, other), flush=True)
    print("equally near to an edit, one of them true: %d (%d crossed); none of them true: %d" %
          (ties.counts["ties"], ties.counts["ties that crossed"], ties.counts["none is true"]))
    print("  %-20s %7s %7s %12s" % ("rules", "decides", "rightly", "right in all"))
    for one in ("as it is", *rules):
        print("  %-20s %7s %7s %12d" % (one, ties.counts.get((one, "decides"), ""), ties.counts.get((one, "rightly"), ""),
                                        ties.counts[one, "right"]))
    if options.failing:
        pathlib.Path(options.failing).write_text(json.dumps(failing, indent=1) + "\n")


if __name__ == "__main__":
    main()

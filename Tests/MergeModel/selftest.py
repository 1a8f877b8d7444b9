#!/usr/bin/env python3
"""Shows that the checker can fail: with each rule switched off, in turn, it must find a violation.

A rule that can be switched off unnoticed is either not tested or not needed, and this test fails.
"""

import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import scripts      # noqa: E402
import switches     # noqa: E402
import world        # noqa: E402
from table import world_class      # noqa: E402

# The kinds that meet a rule soonest, and how many scripts are tried before the rule counts as unnoticed.
WHERE = {
    "carried-time": ("rsync, editors, lazy", "syncthing, editors, lazy", "syncthing, both, lazy, cut"),
    "nearest": ("syncthing, both, lazy, cut", "rsync, both, lazy, cut"),
    "steps": ("rsync, editors, lazy", "syncthing, editors, lazy"),
    "retyped": ("rsync, editors, lazy", "syncthing, editors, lazy", "rsync, both, lazy, cut"),
    "set-aside": ("syncthing, editors, lazy", "syncthing, both, lazy, cut"),
    "not-before": ("rsync, editors, lazy", "rsync, both, lazy, cut"),
    "shown": ("rsync, both, lazy, cut", "syncthing, both, lazy, cut"),
    "waiting": ("rsync, commands, cut", "syncthing, commands, cut"),
    "aside": ("rsync, both, lazy, cut", "syncthing, both, lazy, cut"),
    "note-undo": ("rsync, both, twin", "rsync, both, clock"),
    "virtual-base": ("syncthing, commands, cut", "mixed, commands, cut", "rsync, both, clock"),
    "root": ("rsync, commands",),
    "note-edit": ("rsync, editors",),
    "merge-time": ("rsync, both, clock", "syncthing, both, clock"),
    "make-way": ("rsync-plain, commands",),
    "stale": ("rsync, both, backup", "rsync-plain, commands"),
    "draft": ("rsync, both, draft", "syncthing, both, draft"),
    "step-back": ("rsync, both, revert", "git, editors, steps back"),
    "restore": ("syncthing, both, lost-history", "rsync, both, lost-history"),
    "edited-root": ("rsync, both, fresh", "syncthing, both, fresh"),
    "one-node": ("rsync, both, lost-history", "syncthing, both, lost-history"),
    "tombstone-lists": ("rsync, commands, purge",),
    "copies": ("syncthing, editors",),
    "driver": ("git, commands",),
    "remade": ("git, commands, remade",),
    "redo": ("git, commands, no driver",),
}
SCRIPTS = 400
# Rules that stand behind another one: only without both does anything go wrong.
BEHIND = {"same-name": "one-node", "driver": "redo"}
# Rules that only rare scripts need: the sample of CI leaves them out.
SLOW = {"not-before", "retyped", "steps", "shown", "waiting", "one-node", "virtual-base", "aside", "remade"}


def failing(kinds, most):
    """What the checker found first, and after how many scripts. The figures of the rules as they are must be known: a kind
    that fails now and then with all rules cannot show that one of them is missing."""
    for number in range(most):
        for kind in kinds:
            ops = scripts.make(kind, 50_000 + number)
            found, _ = world.run(kind, ops, world_class(kind))
            wrong = [what for what, _ in found if what != "unseen"]
            if wrong and not violated_with_all_rules(kind, ops):
                return wrong[0], kind, number + 1
    return None, None, most


def violated_with_all_rules(kind, ops):
    """The same script with all rules."""
    off, switches.OFF = switches.OFF, set()
    try:
        found, _ = world.run(kind, ops, world_class(kind))
    finally:
        switches.OFF = off
    return any(what != "unseen" for what, _ in found)


def main():
    kinds, unnoticed = scripts.kinds(), []
    sample = "--sample" in sys.argv[1:]
    rules = [rule for rule in switches.RULES if not (sample and rule in SLOW)]
    for rule in rules:
        names = WHERE.get(rule, ("rsync, commands", "syncthing, commands"))
        began = time.monotonic()
        switches.OFF = {rule, BEHIND.get(rule, rule)}
        what, kind, number = failing([kinds[name] for name in names], SCRIPTS)
        switches.OFF = set()
        if what is None:
            unnoticed.append(rule)
        print("%-20s %s  %.1f s" % (rule, "NOT NOTICED in %d scripts" % number if what is None
                                    else "%s, script %d of %s" % (what, number, kind.name), time.monotonic() - began), flush=True)
    print("%d rules switched off, %d not noticed" % (len(rules), len(unnoticed)))
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())

"""Kinds of scripts, and random scripts from a seed. A script is a list of numbered steps; leaving one out leaves the others as
they are."""

import random
from typing import NamedTuple

from edits import EDITOR_EDITS, ITEM_EDITS, SMALL_EDITS

DAY = 86_400_000


class Kind(NamedTuple):
    name: str
    carrier: str
    who: str               # command, editor, both
    extras: tuple = ()     # cut, undo, revert, draft, purge, backup, clock, forget, lazy, lost-history, twin

    @property
    def knows(self):
        """Whether a sync lets a replica know all that the other knew."""
        return "lazy" not in self.extras and "cut" not in self.extras


def kinds():
    """Every kind by its name."""
    found = []
    for carrier in ("rsync", "rsync-plain", "syncthing", "merge", "mixed"):
        for who in ("command", "editor"):
            found.append(Kind("%s, %ss" % (carrier, who), carrier, who))
            for extra in ("cut", "purge"):
                if carrier != "merge" or extra != "cut":
                    found.append(Kind("%s, %ss, %s" % (carrier, who, extra), carrier, who, (extra, "undo")))
    for carrier in ("rsync", "syncthing"):
        for extra in ("revert", "backup", "clock", "forget", "lost-history", "twin"):
            found.append(Kind("%s, both, %s" % (carrier, extra), carrier, "both", (extra, "undo")))
        found.append(Kind("%s, editors, lazy" % carrier, carrier, "editor", ("lazy",)))
        found.append(Kind("%s, both, fresh" % carrier, carrier, "both", ("fresh", "lazy", "undo")))
        found.append(Kind("%s, both, lazy, cut" % carrier, carrier, "both", ("lazy", "cut", "undo")))
        found.append(Kind("%s, both, draft" % carrier, carrier, "both", ("draft", "undo")))
    for who in ("command", "editor"):
        found.append(Kind("git, %ss" % who, "git", who))
        found.append(Kind("git, %ss, rebase" % who, "git", who, ("rebase",)))
        found.append(Kind("git, %ss, steps back" % who, "git", who, ("back",)))
        found.append(Kind("git, %ss, no driver" % who, "git", who, ("no-driver",)))
    found.append(Kind("git, commands, remade", "git", "command", ("remade",)))
    return {kind.name: kind for kind in found}


def make(kind, seed, steps=24):
    """A random script."""
    r = random.Random("%s %d" % (kind.name, seed))
    ops = []
    for number in range(1, steps + 1):
        op = _step(kind, r)
        op["dt"] = r.choice((900, 4_000, 70_000, 3_600_000, DAY // 3)) + r.randrange(900)
        ops.append((number, op))
    return ops


def _step(kind, r):
    at = r.choice("abc")
    lazy = "lazy" in kind.extras
    small = r.random() < 0.12
    chance = r.random()
    sweep, sweep2 = (r.random() < 0.35, r.random() < 0.35) if lazy else (True, True)
    seed = r.randrange(1 << 30)
    if chance < 0.3:
        to = r.choice([name for name in "abc" if name != at])
        carrier = r.choice(("rsync", "rsync-plain", "syncthing", "merge", "merge-one")) if kind.carrier == "mixed" else kind.carrier
        op = {"do": "sync", "at": at, "to": to, "carrier": carrier, "cut": "cut" in kind.extras and r.random() < 0.5, "seed": seed,
              "sweep": sweep, "sweep2": sweep2}
        if kind.carrier == "git":
            op["how"] = r.choice(("rebase", "cherry-pick", "stash", "merge")) if "rebase" in kind.extras else "merge"
        return op
    extra = next((extra for extra in kind.extras if r.random() < 0.12), None)
    if extra == "undo":
        return {"do": "undo", "at": at, "small": small}
    if extra == "revert":
        return {"do": "revert", "at": at, "seed": seed, "sweep": sweep}
    if extra == "draft":
        return {"do": "draft", "at": at, "seed": seed, "kind": r.choice(("para-add", "para-change", "para-delete")), "sweep": sweep}
    if extra == "purge" and chance > 0.6:
        return {"do": "purge", "at": at}
    if extra == "backup":
        return {"do": r.choice(("backup", "restore")), "at": at, "seed": seed}
    if extra == "clock":
        return {"do": "clock", "at": at, "offset": r.choice((0, DAY, -DAY, -9 * DAY, 30 * DAY, -56 * 365 * DAY, 73 * 365 * DAY))}
    if extra == "forget":
        return {"do": "forget", "at": at}
    if extra == "lost-history":
        return {"do": "history_lost", "at": at}
    if extra == "twin":
        return {"do": "twin", "at": at, "to": r.choice([name for name in "abc" if name != at])}
    if extra == "back":
        return {"do": "back", "at": at, "seed": seed, "how": r.choice(("checkout", "reset", "stash"))}
    if extra == "remade":
        return {"do": "remade", "at": at, "to": r.choice([name for name in "abc" if name != at]), "pick": r.random(), "how": "merge",
                "sweep": True, "sweep2": True}
    if lazy and r.random() < 0.1:
        return {"do": "sweep", "at": at}
    if r.random() < 0.08:
        return {"do": "resolve", "at": at, "small": small, "pick": r.random()}
    who = kind.who
    by = {"command": "command", "editor": r.choice(("editor", "editor", "editor-time")),
          "both": r.choice(("command", "editor", "editor-time"))}[who]
    edits = SMALL_EDITS if small else ITEM_EDITS if by == "command" else EDITOR_EDITS
    return {"do": "edit", "at": at, "small": small, "kind": r.choice(edits), "by": by, "seed": seed, "sweep": sweep}

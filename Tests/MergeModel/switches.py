"""The rules that can be switched off, so that the checker can be seen to catch it (selftest.py), or compared (run --without).

A rule is on unless it is in OFF. Merge.md names each rule by its number.
"""

RULES = {
    "same-name": "equal content and equal parents give one name on every device (rule 1)",
    "root": "the first change notes what was known before it (rule 2)",
    "note-command": "a command notes the state that it makes (rule 2)",
    "note-undo": "undo notes the state that it makes (rule 2)",
    "note-edit": "a sweep notes what an editor saved (rule 2)",
    "carried-time": "updatedAt in arrived bytes tells their parent (rule 3)",
    "nearest": "bytes that no version explains have the nearest version as parent (rule 3)",
    "retyped": "of equally near texts, the one is nearer that lacks fewer paragraphs which are written here and in another one (rule 6)",
    "steps": "of equally near texts, the one is nearer from which fewer steps lead to what was written here (rule 3)",
    "not-before": "bytes from elsewhere come from no version that is later than they are (rule 3)",
    "draft": "a text that is older than the one live last comes from what was here when it was written (rule 4)",
    "shown": "an edit comes from the bytes that were live at the last sweep (rule 3)",
    "restore": "the device keeps links to history/ and puts back what a merge needs (rule 2)",
    "waiting": "bytes that no version explains wait for three sweeps (rule 3)",
    "aside": "bytes that wait are kept aside when the file is written (rule 3)",
    "one-node": "versions of equal content are one node, unless one comes from the other (rule 5)",
    "edited-root": "a root that programs changed comes from the only other root of its updatedAt (rule 5)",
    "base": "a merge has a base (rule 5)",
    "virtual-base": "several common ancestors are joined into one base (rule 5)",
    "merge-parents": "a merge names all heads as its parents (rule 5)",
    "merge-time": "a merge has no time of its own (rule 5)",
    "keep-loser": "the value that loses is kept as a conflict (rule 6)",
    "both-change": "both sides' changes are taken, not one whole side (rules 6 to 10)",
    "tag-removal": "a tag that one side removed goes (rule 7)",
    "unknown-keys": "unknown keys are merged (rule 8)",
    "whole-units": "a unit is taken whole (rule 9)",
    "paragraphs": "texts are merged by paragraphs (rule 10)",
    "edit-beats-deletion": "an edited paragraph wins over its deletion (rule 10)",
    "moves": "a moved paragraph is one paragraph (rule 10)",
    "kept-files": "the device keeps noted documents and pages that a copying tool may overwrite (rule 11)",
    "make-way": "a replaced document or page makes way when its successor does not come (rule 11)",
    "stale": "bytes of an earlier version that arrive are old, not new (rule 12)",
    "step-back": "earlier bytes that were written here are a step back (rule 12)",
    "small-deletion": "a deleted small file leaves a file that says so (rule 13)",
    "tombstone-lists": "a tombstone removes only what the purge saw (rule 14)",
    "resolved": "a resolved conflict stays resolved (rule 15)",
    "set-aside": "no edit comes from a state that a tool had put aside as a conflict copy (rule 4)",
    "copies": "conflict copies are absorbed (rule 16)",
    "driver": "git merges by the driver (rule 17)",
    "remade": "a conflict that the driver makes again after a version ended it has another name (rule 17)",
    "redo": "a merge that git made without the driver is made again (rule 17)",
}
# Rules of the first design that the model replaced. They are off unless they are asked for.
FORMER = {
    "raise-time": "noting an editor's save writes a new updatedAt into item.json",
    "only-head": "a step back counts only where the last version seen here is the only head",
}
# Rules that were tried: they choose between texts that are equally near to bytes that were written here. They are off unless they are
# asked for (run --with); of several, the first that decides.
TRIED = {
    "words": "fewer words differ in the whole text, each counted as often as it stands",
    "words-one": "where each text has exactly one changed paragraph: it keeps a larger share of its words, in order",
    "alike": "more of the changed paragraphs keep half of their words",
    "arrived": "it is not the last one known here",
    "common": "none of them, if still nothing decides, but the last version that all of them come from",
    "arrivals": "(these rules hold for bytes that came from elsewhere, too)",
}
OFF = set()
FORMER_ON = set()
TRIED_ON = []


def on(rule):
    """Whether a rule holds."""
    assert rule in RULES or rule in FORMER or rule in TRIED, rule
    return rule not in OFF if rule in RULES else rule in FORMER_ON or rule in TRIED_ON

#!/usr/bin/env python3
"""Compares what sbfs joins with what the model joins: random sets of versions, the same result in every byte.

Usage: joins.py --bench PATH [--count N] [--seed N]

A set is made as replicas make it: several devices edit, join and receive versions from each other, whole or in part. Some
versions, texts and parents are missing at the end.
"""

import argparse
import json
import random
import subprocess
import sys

import canonical
import fields
import merge
import times
import versions
from content import Content
from edits import WORDS, Edit, ITEM_EDITS

START = 1_795_256_100_000
TIMES = ("createdAt", "updatedAt", "trashedAt", "archivedAt", "aiUpdatedAt", "lastCheckedDate")
OTHER_EDITS = "mark unmark spelling word-note whole-note check reason unknown-time ends blank line-ends words scalar tags-wrong null".split()
KINDS = [*ITEM_EDITS, *ITEM_EDITS, *OTHER_EDITS]
TAGS = ["Éclair", "e\u0301clair", "STRASSE", "straße", "to  read", "To Read", "Σίσυφος", "σίσυφος", "İstanbul", "collection:Work"]


class History:
    """A random history; `versions` and `texts` are what is there at the end."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.time, self.serial = START, 0
        # Few values are often the same ones: a conflict comes again.
        self.kinds = KINDS if self.random.random() < 0.75 else ["few"]
        self.bytes, self.texts, self.found = {}, {}, []
        self.devices = [set() for _ in range(self.random.randint(1, 4))]
        for device in self.devices[:self.random.choice((1, 1, 1, 2))]:
            device.add(self._note(self._first(), ()))
        # In long histories devices join more often than once what others joined: histories cross.
        for _ in range(self.random.randint(1, 16) if self.random.random() < 0.8 else self.random.randint(16, 60)):
            self.time += self.random.choice((0, 1, 1000, 60_000, 86_400_000, -3_600_000))
            if self.random.random() < 0.5:
                self._receive()
            else:
                self._edit(self.random.choice(self.devices))
        self.names = set().union(*self.devices)
        every = sorted(self.names)
        self.gone, self.waited = [], []
        if self.random.random() < 0.25:
            self.names -= {name for name in every if self.random.random() < 0.15}
            self.gone = [name for name in every if self.random.random() < 0.15]
            self.waited = [name for name in sorted(self.names) if self.random.random() < 0.15]
            for digest in sorted(self.texts):
                if self.random.random() < 0.1:
                    del self.texts[digest]

    # --- devices

    def _first(self):
        r = self.random
        item = {"id": "1", "title": "T9001x", "tags": ["G9001x", "G9002x"], "x-p": "K9001x", "createdAt": self._spelt(START - 9),
                "updatedAt": times.spelt(START)}
        if r.random() < 0.2:
            del item[r.choice(list(item))]
        text = "\n\n".join("P900%dx amber birch cedar delta ember fjord" % n for n in range(1, r.randint(1, 6)))
        if r.random() < 0.3:
            text = text.replace("\n", "\r\n")
        return Content(canonical.encode(item), (text + r.choice(("", "\n", "\n\n"))).encode() if r.random() < 0.9 else None)

    def _note(self, content, parents, resolved=()):
        edited = not parents and self.random.random() < 0.4
        name, data = versions.encode(content, parents, resolved, edited=edited)
        self.bytes[name] = data
        if content.text is not None:
            self.texts[canonical.sha(content.text)] = content.text
        return name

    def graph(self, names, gone=(), waited=()):
        return versions.Graph({name: versions.decode(name, self.bytes[name]) for name in names}, self.texts,
                              frozenset(gone), frozenset(waited))

    def _settle(self, device):
        graph = self.graph(device)
        joined = graph.result()
        if joined is None:
            return None, None
        self.found += [path for path, _ in joined[1]]
        if len(graph.heads) == 1:
            return graph.heads[0], joined[0].content
        name = self._note(joined[0].content, [n for n in graph.versions if graph.node_of.get(n) in graph.heads])
        device.add(name)
        return name, joined[0].content

    def _receive(self):
        one, two = self.random.choice(self.devices), self.random.choice(self.devices)
        names = sorted(one)
        if self.random.random() < 0.3:
            names = [name for name in names if self.random.random() < 0.7]
        two.update(names)
        if self.random.random() < 0.6:
            self._settle(two)

    def _edit(self, device):
        if self.random.random() < 0.7 or not device:
            parent, content = self._settle(device)
        else:
            # An edit of an older state.
            graph = self.graph(device)
            if not graph.nodes:
                return
            parent = self.random.choice(sorted(graph.nodes))
            content = graph.nodes[parent].content
        if content is None:
            return
        self.serial += 1
        new = self._changed(content)
        if new is None:
            return
        members = {key: times.spelt(value) if key in TIMES and isinstance(value, int) else value for key, value in new.fields.items()}
        if self.random.random() < 0.8:
            members["updatedAt"] = times.spelt(max(self.time, content.updated + 1))
        new = new._replace(item=canonical.encode(members))
        resolved = {"conflicts/%016x.json" % self.random.getrandbits(64)} if self.random.random() < 0.1 else set()
        if self.found and self.random.random() < (0.4 if self.kinds is KINDS else 0.9):
            resolved |= set(self.found[-3:])
        # A new copy may be edited before anything notes a version there.
        device.add(self._note(new, () if self.random.random() < 0.05 else [parent], resolved))

    # --- edits

    def _spelt(self, time):
        text = times.spelt(time)
        return self.random.choice((text, text, text[:10], text.replace("Z", "+00:00"), text.replace("T", " ")))

    def _changed(self, content):
        kind = self.random.choice(self.kinds)
        if kind in ITEM_EDITS:
            try:
                return Edit(kind, self.serial, self.random.getrandbits(30), self.time).apply(content)
            except (TypeError, AttributeError, ValueError):
                return None      # it knows no wrong values
        members = dict(content.fields)
        text = (content.text or b"").decode()
        changed = self._change(kind, members, text)
        return content._replace(item=canonical.encode(members), text=content.text if changed is None else changed.encode())

    def _change(self, kind, members, text):
        r = self.random
        if kind in ("mark", "unmark", "spelling"):
            tags = list(fields.tag_list(members) or [])
            members["tags"] = [tag for tag in tags if tag.lower() != "trashcan"] if kind == "unmark" else \
                [tag.swapcase() if r.random() < 0.3 else tag for tag in tags] + (["Trashcan"] if kind == "mark" else [r.choice(TAGS)])
        elif kind in ("word-note", "whole-note"):
            notes = list(fields.note_list(members) or [])
            members["annotations"] = [*notes, "said %d" % r.randint(1, 3)] if kind == "word-note" else \
                [note for note in notes if r.random() < 0.7] + [{"quote": "q%d" % r.randint(1, 3)}]
        elif kind == "check":
            members |= {"linkStatus": r.choice(("valid", "dead")), "lastCheckedDate": self._spelt(self.time),
                        "linkStatusEvidence": {"status": r.choice((200, 404))}}
        elif kind == "reason":
            members |= {"archiveStatus": r.choice(("pending", "failed")), "archiveReason": "login", "archiveAttempts": r.randint(1, 4),
                        "sortOrder": r.randint(1, 9)}
        elif kind == "unknown-time":
            members[r.choice(("createdAt", "updatedAt", "trashedAt"))] = r.choice(("soon", self._spelt(self.time), 17, ["x"]))
        elif kind == "tags-wrong":
            members[r.choice(("tags", "annotations"))] = r.choice(("word", ["a", 3], {"a": 1}))
        elif kind == "few":
            members["title"] = r.choice([word for word in ("todo", "doing", "done") if word != members.get("title")])
        elif kind == "null":
            if members:
                members[r.choice(list(members))] = None
        elif kind == "ends":
            return "\ufeff" * r.randint(0, 1) + "\n" * r.randint(0, 2) + text.strip("\n\ufeff") + r.choice(("", "\n", "\r\n", "\n \n"))
        elif kind == "line-ends":
            text = text.replace("\r\n", "\n")
            return r.choice((text, text.replace("\n", "\r\n"), text.replace("\n", "\r\n", r.randint(1, 3))))
        elif kind == "blank":
            return text.replace("\n\n", r.choice(("\n\n\n", "\n\t\n", "\r\n\r\n", "\n")), r.randint(1, 2))
        elif kind == "words":
            return "\n\n".join("%s %s" % (r.choice(WORDS), r.choice(WORDS)) for _ in range(r.randint(1, 8)))
        elif kind == "scalar":
            members[r.choice(("isPinned", "title", "x-p", "description"))] = r.choice((True, 0.5, -7, "\x7f\u2028\"\\\t", None, [], {}))
        return None


def expected(history):
    """What the model joins the versions to, in the form of sbfs-bench."""
    graph = history.graph(history.names, history.gone, history.waited)
    joined = graph.result()
    answer = {"heads": list(graph.heads), "waiting": sorted(graph.incomplete())}
    if joined is None:
        return answer
    node, conflicts, losers = joined
    if len(graph.heads) > 1:
        parents = [n for n in graph.versions if graph.node_of.get(n) in graph.heads]
        answer["version"] = versions.encode(node.content, parents)[1].decode()
        answer["text"] = (node.content.text or b"").decode()
        answer["conflicts"] = {path: data.decode() for path, data in sorted(conflicts)}
        answer["losers"] = sorted({"%s %s" % loser for loser in losers})
    return answer


def question(history):
    return {"versions": {name: history.bytes[name].decode() for name in sorted(history.names)},
            "texts": {digest: text.decode() for digest, text in history.texts.items()},
            "gone": history.gone, "waited": history.waited}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failed = merges = conflicts = again = 0
    for first in range(options.seed, options.seed + options.count, 1000):
        batch = [History(seed) for seed in range(first, min(first + 1000, options.seed + options.count))]
        lines = "".join(json.dumps(question(history)) + "\n" for history in batch)
        output = subprocess.run([options.bench, "joins"], input=lines, capture_output=True, encoding="utf-8", check=True).stdout
        answers = [json.loads(line) for line in output.split("\n")[:-1]]
        if len(answers) != len(batch):
            sys.exit("%d histories, %d answers" % (len(batch), len(answers)))
        for seed, history, answer in zip(range(first, first + 1000), batch, answers):
            wanted = expected(history)
            merges += "version" in wanted
            conflicts += len(wanted.get("conflicts", ()))
            again += sum('"again"' in conflict for conflict in wanted.get("conflicts", {}).values())
            if answer != wanted:
                failed += 1
                if failed <= 3:
                    print("FAILED seed %d" % seed)
                    for key in sorted({*wanted, *answer}):
                        if wanted.get(key) != answer.get(key):
                            print("  %s\n    model: %s\n    sbfs:  %s" % (key, wanted.get(key), answer.get(key)))
    print("%d histories, of which %d have several heads, with %d conflicts, %d of them again: %d differ"
          % (options.count, merges, conflicts, again, failed))
    return 1 if failed or not merges or not conflicts or options.count >= 1000 and not again else 0


if __name__ == "__main__":
    sys.exit(main())

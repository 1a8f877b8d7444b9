#!/usr/bin/env python3
"""Prints the worked example of Documentation/Merge.md, and with --check compares it with the document."""

import datetime
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import canonical      # noqa: E402
import merge          # noqa: E402
import versions       # noqa: E402
from content import Content      # noqa: E402

MERGE = pathlib.Path(__file__).resolve().parents[2] / "Documentation" / "Merge.md"
BASE = {"id": "01a19b7c-a680-7000-8f3e-5d2c9b7a61c4", "title": "Bread", "tags": ["dough", "to read"],
        "updatedAt": 1_795_256_100_000}
TEXT = "Feed the starter.\n\nWait a night.\n\nBake."


def spelt(content):
    """The model counts milliseconds; files have the text of FORMAT.md § 5.8."""
    time = datetime.datetime.fromtimestamp(content.updated / 1000, datetime.timezone.utc)
    text = time.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (content.updated % 1000)
    return content._replace(item=canonical.encode({**content.fields, "updatedAt": text}))


def blocks():
    """The blocks of the example: root, two edits, what they join to, and the conflict."""
    root = Content(canonical.encode(BASE), TEXT.encode())
    name, data = versions.encode(spelt(root), ())
    yield "root", name, data
    laptop = root._replace(item=canonical.encode({**BASE, "title": "Sourdough", "tags": ["dough"], "updatedAt": 1_795_256_160_000}),
                           text=TEXT.replace("Wait a night.", "Wait for twelve hours.").encode())
    server = root._replace(item=canonical.encode({**BASE, "title": "Bread, slow", "tags": ["dough", "to read", "weekend"],
                                                  "updatedAt": 1_795_256_220_000}),
                           text=(TEXT + "\n\nCool on a rack.").encode())
    one, two = (versions.encode(spelt(content), (name,)) for content in (laptop, server))
    yield "laptop", *one
    yield "server", *two
    joined = merge.merge(root, laptop, server, False)
    sides = b"".join(sorted(spelt(side).item for side in (laptop, server)))
    time = max(laptop.updated, server.updated) + 1 + int(canonical.sha(sides)[:8], 16) % 997
    content = joined.content._replace(item=canonical.encode({**joined.content.fields, "updatedAt": time}))
    yield "joined", *versions.encode(spelt(content), (one[0], two[0]))
    yield "text", canonical.sha(joined.content.text), joined.content.text
    for path, conflict in joined.conflicts:
        yield "conflict", path, conflict


def main():
    failed = 0
    document = MERGE.read_text() if "--check" in sys.argv[1:] else None
    for what, name, data in blocks():
        if document is None:
            print("%s %s\n%s" % (what, name, data.decode()))
        elif name not in document or data.decode().rstrip("\n") not in document:
            failed += 1
            print("FAILED: Merge.md does not have %s, %s" % (what, name))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

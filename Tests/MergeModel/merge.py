"""The three-way merge of two contents: a pure function (rules 6 to 11)."""

import json
from typing import NamedTuple

import canonical
import crossed
import fields
import paragraphs
import switches
from content import Content


AGAIN_LIMIT = 1000      # names of one conflict that are tried


class Merged(NamedTuple):
    content: Content
    conflicts: tuple      # names and bytes of files in conflicts/
    losers: tuple         # (component, hash) of pages and documents that lost


def conflict_file(field, base, winner, loser, ended=()):
    """A conflict is named by the field, the base and both values (rule 15), and by how often it was ended before."""
    values = sorted((winner, loser), key=canonical.encode)
    members = {"field": field, "base": base, "values": values}
    for again in range(1, AGAIN_LIMIT + 1):
        data = canonical.encode(members)
        path = "conflicts/%s.json" % canonical.sha(data)[:16]
        if path not in ended:
            break
        members["again"] = again
    return path, data


def merge(base, a, b, a_wins, edits=crossed.NOTHING, ended=()):
    """Joins two contents. a_wins: a has the later updatedAt, or the same and the larger name. edits: what each side's versions did,
    where histories crossed. ended: paths of conflicts that versions ended which either side comes from."""
    if not switches.on("both-change"):
        return Merged(a if a_wins else b, (), ())
    members = fields.Merge(base.fields, a.fields, b.fields, a_wins, (a[1:] != base[1:], b[1:] != base[1:]), edits)
    result = members.run()
    found = list(members.conflicts)
    text = b.text if a.text == base.text else a.text
    both_changed = base.text not in (a.text, b.text)
    texts = [(side or b"").decode(errors="surrogateescape") for side in (base.text, a.text, b.text)]
    stale = edits.stale_paragraphs(*texts) if a.text != b.text and edits != crossed.NOTHING else ()
    has_stale = any(found or held for found, _, held in stale)
    if a.text != b.text and (both_changed or has_stale):
        joined, clashes = paragraphs.merge(*texts, a_wins, stale if has_stale else None)
        text = joined.encode(errors="surrogateescape")
        found += [("text", *clash) for clash in clashes]
    page, document, losers = a.page, a.document, []
    page = _file("page", members, base.page, a.page, b.page, a_wins, losers, edits)
    document = _file("document", members, base.document, a.document, b.document, a_wins, losers, edits)
    if a.document != b.document and is_renamed(base, a, b, document, result):
        named = json.loads(document)[0]["path"]
        result = {key: named if key == "documentRelativePath" else value for key, value in result.items()}
    if not switches.on("keep-loser"):
        found, losers = [], []
    files = tuple(sorted(conflict_file(*conflict, ended=ended) for conflict in found))
    return Merged(Content(canonical.encode(result), text, page, document), files, tuple(losers))


def is_renamed(base, a, b, document, fields):
    """Whether item.json gets the name of the document that stands: it gave way to an edit, or the side that has it names it, or a side
    noted a name that was that of another document, or both sides renamed it."""
    edited = edited_document(base.document, a.document, b.document)
    if edited is not None and document == edited or is_name((a if document == a.document else b).fields, document):
        return True
    is_old = (fields.get("documentRelativePath") != base.fields.get("documentRelativePath")
              and any(is_name(fields, side.document) for side in (base, a, b)))
    return is_old and is_single(document) or are_names(base.document, a.document, b.document)


def is_single(document):
    """Whether it is a list of one file. Scripts have hashes alone."""
    return bool(document) and document.startswith("[") and len(json.loads(document)) == 1


def is_name(fields, document):
    """Whether item.json names the document."""
    return is_single(document) and fields.get("documentRelativePath") == json.loads(document)[0]["path"]


def are_names(*documents):
    """Whether three states have one document with the same bytes under three names. Scripts have one name, and hashes alone."""
    if not all(document and document.startswith("[") for document in documents):
        return False
    files = [json.loads(document) for document in documents]
    return (all(len(one) == 1 for one in files) and len({one[0]["sha256"] for one in files}) == 1
            and len({one[0]["path"] for one in files}) == len(files))


def edited_document(base, a, b):
    """Of a document that one side renamed and the other edited, the edited one; None of all else."""
    if a == b or not all(document and document.startswith("[") for document in (base, a, b)):
        return None
    files = [json.loads(document) for document in (base, a, b)]
    if any(len(side) != 1 for side in files):
        return None
    (old,), (one,), (two,) = files
    for renamed, edited, found in ((one, two, b), (two, one, a)):
        if renamed["sha256"] == old["sha256"] != edited["sha256"] and renamed["path"] != old["path"]:
            return found
    return None


def _file(unit, members, base, a, b, a_wins, losers, edits):
    """The page or document belongs to the unit of fields that names it; bytes alone may have changed too."""
    if a == b:
        return a
    chosen = members.units[unit]
    names = fields.UNITS[unit]
    fields_differ = any(members.a.get(name) != members.b.get(name) for name in names)

    def read(content):
        return getattr(content, unit)

    held = edits.held(base, a, b, read)
    if chosen is None or not fields_differ or not chosen[1]:
        stale = edits.stale(a, b, read)
        if stale is None and (a == base or b == base) and not held:
            # One side changed the bytes. The fields of a unit follow the side that changed them.
            return b if a == base else a
        edited = edited_document(base, a, b) if unit == "document" and not stale else None
        if edited is not None:
            return edited
        first = stale == "b" if stale else a_wins if chosen is None or not fields_differ else chosen[0] == "a"
    else:
        first = chosen[0] == "a"
    winner, loser = (a, b) if first else (b, a)
    if loser is not None and (loser != base or held):
        losers.append((unit, loser))
    return winner

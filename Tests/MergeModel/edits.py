"""Changes of an item as a person makes them, each with a token that occurs nowhere else."""

import random
import re

import canonical

TOKEN = re.compile(rb"[A-Z][0-9]{4}x")
WORDS = ("amber birch cedar delta ember fjord grove heath islet jetty knoll ledge marsh north ocean prism quartz ridge slope "
         "tidal").split()

ITEM_EDITS = ("title title para-add para-change para-change para-delete para-move tag-add tag-add tag-remove key object list "
              "note-add note-change note-remove trash restore ai page document").split()
EDITOR_EDITS = [kind for kind in ITEM_EDITS if kind != "page"]
SMALL_EDITS = "colour icon delete".split()
# What a person writes (run --words, --prose). As it is: twenty words, and paragraphs of seven that change in one place.
VOCABULARY = list(WORDS)
PROSE = False
# Half of the edits of a text change some words of a paragraph.
PROSE_EDITS = "para-words para-words para-words para-words para-replace para-add para-delete para-move".split()
PREFIX = {"title": "T", "para-add": "P", "para-change": "P", "tag-add": "G", "key": "K", "object": "O", "list": "L",
          "note-add": "N", "note-change": "N", "ai": "I", "page": "H", "document": "D", "colour": "C", "icon": "J"}


def tokens(*values):
    return {token.decode() for value in values if value for token in TOKEN.findall(value)}


def write(words=None, prose=False):
    """Sets how many words there are, and whether paragraphs are written and changed as a person does it."""
    global PROSE
    VOCABULARY[:] = WORDS if words is None else [WORDS[k % 20] + str(k // 20 or "") for k in range(words)]
    PROSE = prose


def paragraph(token, r):
    """A new paragraph."""
    return " ".join([token] + [r.choice(VOCABULARY) for _ in range(r.randint(5, 15) if PROSE else 6)])


def first_text():
    """The text that the replicas begin with. Without prose all its paragraphs have the same words."""
    if PROSE:
        return "\n\n".join(paragraph("P900%dx" % n, random.Random(n)) for n in range(1, 5))
    return "\n\n".join("P900%dx amber birch cedar delta ember fjord" % n for n in range(1, 5))


class Edit:
    """One change, made from a number alone, so that a shorter script makes the same one."""

    def __init__(self, kind, serial, seed, now):
        self.kind, self.now, self.random = kind, now, random.Random(seed)
        self.token = "%s%04dx" % (PREFIX.get(kind, "P" if kind.startswith("para") and PROSE else "X"), serial)
        if kind.startswith("para") and PROSE:
            self.kind = self.random.choice(PROSE_EDITS)
        self.files = {}      # component -> bytes of a page or document

    def apply(self, content):
        """The changed content; None where there is nothing to change."""
        members = dict(content.fields)
        text = (content.text or b"").decode()
        parts = text.split("\n\n") if text else []
        if self.kind.startswith("para"):
            parts = self._text(list(parts))
            return None if parts is None else content._replace(text="\n\n".join(parts).encode())
        if self.kind in ("page", "document"):
            return self._file(content, members)
        if not self._fields(members):
            return None
        return content._replace(item=canonical.encode(members))

    def _text(self, parts):
        r = self.random
        if self.kind == "para-add":
            parts.insert(r.randint(0, len(parts)), paragraph(self.token, r))
        elif self.kind == "para-change" and parts:
            k = r.randrange(len(parts))
            words = parts[k].split()
            # Most edits keep most words.
            parts[k] = paragraph(self.token, r) if r.random() < 0.2 else \
                " ".join([self.token, *words[1:4], r.choice(VOCABULARY), *words[5:]])
        elif self.kind == "para-words" and parts:
            k = r.randrange(len(parts))
            words = parts[k].split()
            for place in r.sample(range(1, len(words)), min(r.randint(1, 3), len(words) - 1)):
                words[place] = r.choice(VOCABULARY)
            parts[k] = " ".join([self.token, *words[1:]])
        elif self.kind == "para-replace" and parts:
            parts[r.randrange(len(parts))] = paragraph(self.token, r)
        elif self.kind == "para-delete" and len(parts) > 1:
            del parts[r.randrange(len(parts))]
        elif self.kind == "para-move" and len(parts) > 2:
            part = parts.pop(r.randrange(len(parts)))
            parts.insert(r.randint(0, len(parts)), part)
        else:
            return None
        return parts

    def _fields(self, members):
        r, token = self.random, self.token
        tags = list(members.get("tags", []))
        notes = [dict(note) for note in members.get("annotations", [])]
        kind = self.kind
        if kind == "title":
            members["title"] = token
        elif kind == "tag-add":
            tags.insert(r.randint(0, len(tags)), token)
            members["tags"] = tags
        elif kind == "tag-remove" and tags:
            del tags[r.randrange(len(tags))]
            members["tags"] = tags
        elif kind == "key":
            members["x-" + r.choice("pq")] = token
        elif kind == "object":
            old = dict(members.get("x-object", {}))
            inner = dict(old.get("inner", {}))
            if r.random() < 0.5:
                inner[r.choice("mn")] = token
                old["inner"] = inner
            else:
                old[r.choice("mn")] = token
            members["x-object"] = old
        elif kind == "list":
            members["x-list"] = [1, token, "end"]
        elif kind == "note-add":
            members["annotations"] = notes + [{"id": "n" + token[1:5], "note": token}]
        elif kind == "note-change" and notes:
            notes[r.randrange(len(notes))]["note"] = token
            members["annotations"] = notes
        elif kind == "note-remove" and notes:
            del notes[r.randrange(len(notes))]
            members["annotations"] = notes
        elif kind == "trash" and "trashedAt" not in members:
            members["trashedAt"] = self.now
        elif kind == "restore" and "trashedAt" in members:
            del members["trashedAt"]
        elif kind == "ai":
            members |= {"aiSummary": token, "aiModelID": token, "aiUpdatedAt": self.now}
        elif kind in ("colour", "icon"):
            members[kind] = token
            members.pop("deletedAt", None)
        elif kind == "delete" and "deletedAt" not in members:
            # What is deleted leaves a small file that says so (rule 13).
            for name in ("colour", "icon"):
                members.pop(name, None)
            members["deletedAt"] = self.now
        else:
            return False
        return True

    def _file(self, content, members):
        if self.kind == "page":
            status = self.random.choice(("full", "full", "partial"))
            data = canonical.encode({"status": status, "saved": self.now, "words": self.token})
            members |= {"archiveStatus": status, "archivedAt": self.now, "htmlRelativePath": "page.html"}
        else:
            data = ("%s\n" % self.token).encode()
            members |= {"documentRelativePath": "document/plan.txt", "documentSHA256": canonical.sha(data)}
        self.files[self.kind] = data
        return content._replace(item=canonical.encode(members), **{self.kind: canonical.sha(data)})

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
PREFIX = {"title": "T", "para-add": "P", "para-change": "P", "tag-add": "G", "key": "K", "object": "O", "list": "L",
          "note-add": "N", "note-change": "N", "ai": "I", "page": "H", "document": "D", "colour": "C", "icon": "J"}


def tokens(*values):
    return {token.decode() for value in values if value for token in TOKEN.findall(value)}


class Edit:
    """One change, made from a number alone, so that a shorter script makes the same one."""

    def __init__(self, kind, serial, seed, now):
        self.kind, self.now, self.random = kind, now, random.Random(seed)
        self.token = "%s%04dx" % (PREFIX.get(kind, "X"), serial)
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

    def _paragraph(self):
        return " ".join([self.token] + [self.random.choice(WORDS) for _ in range(6)])

    def _text(self, parts):
        r = self.random
        if self.kind == "para-add":
            parts.insert(r.randint(0, len(parts)), self._paragraph())
        elif self.kind == "para-change" and parts:
            k = r.randrange(len(parts))
            words = parts[k].split()
            # Most edits keep most words.
            parts[k] = self._paragraph() if r.random() < 0.2 else " ".join([self.token, *words[1:4], r.choice(WORDS), *words[5:]])
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

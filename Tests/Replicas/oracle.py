"""What must hold when everything has met: equal copies, no lost edit, nothing back that was removed."""
import json
import os

from world import PARAGRAPHS


class Verdict:
    def __init__(self):
        self.faults = []
        self.lost, self.lost_unseen, self.ghosts = [], [], []
        self.live = 0
        self.conflict_files = 0


def judge(world, own=None):
    """own: part of the paths that the carrier leaves in each copy."""
    def carried(copy):
        return {path: content for path, content in copy.files().items() if not own or own not in path}

    verdict = Verdict()
    first, reference = world.copies[0], carried(world.copies[0])
    for copy in world.copies[1:]:
        files = carried(copy)
        different = sorted(path for path in set(files) | set(reference) if files.get(path) != reference.get(path))
        if different:
            verdict.faults.append("%s and %s differ in %d files: %s" % (
                first.name, copy.name, len(different), ", ".join(different[:3])))
    verdict.conflict_files = sum("sync-conflict" in path or "/conflicts/" in path for path in reference)

    replaced = {token for edit in world.edits for token in edit.replaced}
    removed = {token for edit in world.edits for token in edit.removed}
    live = [edit for edit in world.edits if edit.token and edit.token not in replaced | removed]
    verdict.live = len(live)
    # A token may be lost on one copy alone: each is looked at.
    for copy in world.copies:
        items, words = copy.items(), {}
        for path, content in copy.files().items():
            parts = path.split(os.sep)
            if parts[0] == "items" and len(parts) > 3 and "history" not in parts:
                words.setdefault(parts[2], []).append(content.decode(errors="replace"))
        for edit in live:
            if not any(edit.token in text for text in words.get(edit.item, [])):
                (verdict.lost if edit.is_seen else verdict.lost_unseen).append((copy.name, edit.kind, edit.token, edit.item))
        path = copy.collection()
        with open(path or os.devnull) as file:
            fields = json.loads(file.read() or "{}")
        for key, value in sorted(world.collection.items()):
            if fields.get(key) != value:
                verdict.lost.append((copy.name, "collection", "%s %s" % (key, value), path or "collections/"))
        for item, folder in items.items():
            verdict.faults += faults(copy, item, folder)
        for edit in world.edits:
            folder = items.get(edit.item)
            for token in edit.removed if folder else []:
                if is_back(folder, token, words[edit.item]):
                    verdict.ghosts.append((copy.name, edit.kind, token, edit.item))
    return verdict


def faults(copy, item, folder):
    try:
        with open(folder + "/item.json") as file:
            fields = json.load(file)
    except ValueError:
        return ["%s: the item.json of %s does not parse" % (copy.name, item)]
    tags = [tag.casefold() for tag in fields.get("tags", [])]
    found = [] if fields.get("id") == item else ["%s: %s has another id" % (copy.name, item)]
    return found + (["%s: a tag of %s is there twice" % (copy.name, item)] if len(set(tags)) < len(tags) else [])


def is_back(folder, token, texts):
    """Whether a removed tag is in item.json, a document that was taken out in document/, or a deleted paragraph in the text while no kept conflict is without it."""
    if token[0] == "G":
        with open(folder + "/item.json") as file:
            try:
                return token in json.load(file).get("tags", [])
            except ValueError:
                return False
    if token[0] == "D":
        document = folder + "/document"
        return any("conflict-" not in name and token in open(os.path.join(document, name), errors="replace").read()
                   for name in (os.listdir(document) if os.path.isdir(document) else []))
    try:
        with open(folder + "/text.md") as file:
            live = file.read()
    except FileNotFoundError:
        return False
    # A kept text without the paragraph holds the deletion: an edit won against it.
    return token in live and not any(PARAGRAPHS.search(text) and token not in text for text in texts if text != live)

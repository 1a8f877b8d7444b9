#!/usr/bin/env python3
"""An editor that saves an item in an instant, and the judge of mode "race".

  editor.py save LIBRARY ID [--title T] [--tag T] [--para TEXT]
      reads the item, changes one thing, writes a temporary file beside it and renames it over the old one; a paragraph is
      added to text.md, or to textContent if the item has no text.md
  editor.py check LIBRARY ID --mine WORD --theirs WORD      with $FAULT_STATUS and $FAULT_HIT of run.py
      passes if both WORDs are in the item or in its conflicts/. A command that ended
      with another status than 0 may lack its own, but then the editor's must be in the item. A WORD of the command that the
      editor saw and replaced is not lost. The item must parse, and the editor must not have read a part of it.
"""
import argparse
import json
import os
import sys


def read(path):
    if not os.path.exists(path):
        return ""
    with open(path, errors="replace") as file:
        return file.read()


class Item:
    def __init__(self, library, name):
        for folder, below, files in os.walk(library):
            below[:] = [each for each in below if not each.startswith(".") and each not in ("history", "snapshots", "conflicts")]
            if os.path.basename(folder) == name and "item.json" in files:
                self.name, self.folder = name, folder
                break
        else:
            sys.exit(f"no item {name}")
        self.json, self.text = os.path.join(folder, "item.json"), os.path.join(folder, "text.md")

    def everything(self):
        return read(self.json) + read(self.text)

    def replace(self, path, content):
        temporary = os.path.join(self.folder, f".{os.path.basename(path)}.swx")
        with open(temporary, "w") as file:
            file.write(content)
        os.rename(temporary, path)

    def save(self, seen_file, title, tag, paragraph):
        seen = self.everything()
        try:
            fields = json.loads(read(self.json))
        except ValueError:
            fields, seen = {"id": self.name}, "TORN " + seen
        if seen_file:
            with open(seen_file, "w") as file:
                file.write(seen)
        has_text = os.path.exists(self.text)
        if title:
            fields["title"] = title
        if tag:
            fields.setdefault("tags", []).append(tag)
        if paragraph and has_text:
            self.replace(self.text, read(self.text).rstrip("\n") + "\n\n" + paragraph + "\n")
        elif paragraph:
            fields["textContent"] = (fields.get("textContent", "") + "\n\n" + paragraph).strip()
        if title or tag or not has_text:
            self.replace(self.json, json.dumps(fields, indent=2, ensure_ascii=False) + "\n")

    def check(self, seen_file, mine, theirs):
        """The error; nothing if both changes are kept."""
        status, was_hit = int(os.environ.get("FAULT_STATUS", "0")), os.environ.get("FAULT_HIT", "1") == "1"
        try:
            json.loads(read(self.json))
        except ValueError as error:
            return f"item.json does not parse: {error}"
        live, kept = self.everything(), ""
        for folder, _, files in os.walk(os.path.join(self.folder, "conflicts")):
            kept += "".join(read(os.path.join(folder, name)) for name in files)

        def place(word):
            return "item" if word in live else "conflicts" if word in kept else "LOST"

        seen = read(seen_file) if seen_file else ""
        if seen.startswith("TORN"):
            return "another process read half of item.json"
        of_mine = "seen" if mine in seen and mine not in live else place(mine)
        of_theirs = place(theirs) if was_hit else "item"
        if status == 0:
            holds = "LOST" not in (of_mine, of_theirs)
        else:
            holds = of_theirs == "item" or of_theirs == of_mine == "conflicts"
        if not holds:
            return f"lost save: exit status {status}, the editor's {theirs!r}: {of_theirs}, the command's {mine!r}: {of_mine}"
        return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["save", "check"])
    parser.add_argument("library")
    parser.add_argument("id")
    for name in ("title", "tag", "para", "mine", "theirs"):
        parser.add_argument("--" + name)
    options = parser.parse_args()
    seen_file = os.path.join(os.environ["WORK"], "editor-saw") if "WORK" in os.environ else None
    item = Item(options.library, options.id)
    if options.what == "save":
        item.save(seen_file, options.title, options.tag, options.para)
    elif wrong := item.check(seen_file, options.mine, options.theirs):
        sys.exit(wrong)


if __name__ == "__main__":
    main()

"""A storm of file events: every way in which programs change an item, as fast as possible, and what must be true afterwards."""
import json
import os
import random
import shutil
import time
import uuid

# The names that editors, rsync and Syncthing use for a moment.
TEMPORARY = (".item.json.aB3xYz", ".syncthing.item.json.tmp", ".item.json.swp", "4913", "#item.json#", ".#item.json",
             ".nfs0001", ".fuse_hidden0001")


class Storm:
    """Changes items of a library. Each item's title holds one word that no other change uses."""

    def __init__(self, library, count, seed=1):
        self.library, self.count = library, count
        self.random = random.Random(seed)
        self.events = self.steps = self._words = 0
        self.words, self.texts = {}, {}
        self.old = []
        self.ways = [self.in_place, self.replace, self.as_vim, self.as_git, self.in_pieces, self.text, self.move_away,
                     self.temporary_names, self.new_item, self.remove]
        for _ in range(count):
            self.new_item()

    def step(self):
        self.steps += 1
        self.random.choice(self.ways)()

    # What is true of the library

    def expectation(self):
        """Pairs of a word and the ids of the items that have it: all current words, and a sample of those that were replaced."""
        current = [(word, [id]) for words in (self.words, self.texts) for id, word in words.items()]
        return current + [(word, []) for word in self.random.sample(self.old, min(200, len(self.old)))]

    # Files

    def folder(self, id):
        return "%s/items/%s/%s" % (self.library, id[-2:], id)

    def path(self, id, name="item.json"):
        return self.folder(id) + "/" + name

    def write(self, path, text):
        with open(path, "w") as file:
            file.write(text)

    def item(self, id, word):
        return json.dumps({"id": id, "type": "snippet", "title": word, "createdAt": "2026-01-01T00:00:00Z"}, indent=2) + "\n"

    def word(self):
        self._words += 1
        return "storm%08d" % self._words

    def choose(self):
        return self.random.choice(list(self.words))

    def retitle(self, id, word):
        if id in self.words:
            self.old.append(self.words[id])
        self.words[id] = word

    # Ways to change an item; each counts the events that it makes

    def in_place(self):
        id, word = self.choose(), self.word()
        self.write(self.path(id), self.item(id, word))
        self.retitle(id, word)
        self.events += 3

    def replace(self):
        id, word = self.choose(), self.word()
        self.write(self.path(id, ".new"), self.item(id, word))
        os.rename(self.path(id, ".new"), self.path(id))
        self.retitle(id, word)
        self.events += 5

    def as_vim(self):
        id, word = self.choose(), self.word()
        os.rename(self.path(id), self.path(id, "item.json~"))
        self.write(self.path(id), self.item(id, word))
        os.unlink(self.path(id, "item.json~"))
        self.retitle(id, word)
        self.events += 6

    def as_git(self):
        id, word = self.choose(), self.word()
        os.unlink(self.path(id))
        self.write(self.path(id), self.item(id, word))
        self.retitle(id, word)
        self.events += 4

    def in_pieces(self):
        id, word = self.choose(), self.word()
        text = self.item(id, word)
        with open(self.path(id), "w", buffering=1) as file:
            for start in range(0, len(text), 7):
                file.write(text[start:start + 7])
                file.flush()
                self.events += 1
        self.retitle(id, word)
        self.events += 2

    def text(self):
        id, word = self.choose(), self.word()
        self.write(self.path(id, ".text"), word + " in the text\n")
        os.rename(self.path(id, ".text"), self.path(id, "text.md"))
        if id in self.texts:
            self.old.append(self.texts[id])
        self.texts[id] = word
        self.events += 5

    def move_away(self):
        """The whole folder leaves, is changed elsewhere, and comes back."""
        id, word = self.choose(), self.word()
        elsewhere = self.library + "/.moving"
        os.rename(self.folder(id), elsewhere)
        self.write(elsewhere + "/item.json", self.item(id, word))
        os.rename(elsewhere, self.folder(id))
        self.retitle(id, word)
        self.events += 7

    def temporary_names(self):
        id = self.choose()
        for name in TEMPORARY:
            if name == ".#item.json":
                os.symlink("user@host.1:1", self.path(id, name))
            else:
                self.write(self.path(id, name), self.item(id, "noise" + self.word()))
            os.unlink(self.path(id, name))
            self.events += 4

    def new_item(self):
        if len(self.words) > self.count * 2:
            return
        id = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
        word = self.word()
        os.makedirs(self.folder(id))
        self.write(self.path(id), self.item(id, word))
        self.retitle(id, word)
        self.events += 4

    def remove(self):
        if len(self.words) <= self.count:
            return
        id = self.choose()
        folder = self.folder(id)
        while os.path.exists(folder):
            # The daemon may write a version into history/ between the listing of the folder and its removal.
            shutil.rmtree(folder, ignore_errors=True)
        self.old.append(self.words.pop(id))
        if id in self.texts:
            self.old.append(self.texts.pop(id))
        self.events += 6


def rage(storm, events, stop=None, resume=None, seconds=0):
    """Storms until there were so many events. In the middle, `stop` is called, and `resume` after some seconds of storm.

    The storm goes on until the stopped program runs again, so that its queue overflows for sure."""
    start = time.monotonic()
    stopped = None
    while storm.events < events or stopped:
        for _ in range(100):
            storm.step()
        if stop and stopped is None and storm.events > events / 3:
            stop()
            stopped = time.monotonic()
        if stopped and time.monotonic() - stopped >= seconds:
            resume()
            stopped = 0
    return time.monotonic() - start


def wrong(expectation, find):
    """The pairs for which `find` does not give the ids."""
    return [(word, ids) for word, ids in expectation if sorted(find(word)) != ids]


def until_right(storm, find, patience):
    """Asks for everything until it is right: the seconds that this took, and what is still wrong after `patience`."""
    start = time.monotonic()
    left = storm.expectation()
    while True:
        left = wrong(left, find)
        if not left:
            # What was right may not become wrong again.
            left = wrong(storm.expectation(), find)
        after = time.monotonic() - start
        if not left or after > patience:
            return after, left
        time.sleep(0.02)

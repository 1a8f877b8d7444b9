"""Real programs, each of which saves a file of an item with a new word in it.

Each class prepares everything first; `save` does nothing but save, and `close` ends what still runs. Files are item.json, whose title
gets the word, and text.md, which gets a line.
"""
import mmap
import os
import re
import shutil
import subprocess
import sys

from terminal import Terminal


def changed(content, name, word):
    """The content of a file with the word in it."""
    if name != "item.json":
        return content + word + "\n"
    new, count = re.subn(r'("title": "[^"\\]*)"', r'\1 %s"' % word, content, count=1)
    if not count:
        sys.exit("item.json has no title")
    return new


class Saving:
    # Whether the save is over when `save` returns. An editor goes on running.
    is_over = True
    files = ("item.json", "text.md")
    package = None

    def __init__(self, setting, folder, name, word):
        self.setting, self.folder, self.name, self.word = setting, folder, name, word
        self.path = folder + "/" + name
        self.place = setting.work + "/saving"
        shutil.rmtree(self.place, ignore_errors=True)
        os.makedirs(self.place)
        self.prepare()

    def content(self):
        with open(self.path) as file:
            return changed(file.read(), self.name, self.word)

    def source(self):
        """The changed file, elsewhere on the same disk."""
        path = self.place + "/" + self.name
        with open(path, "w") as file:
            file.write(self.content())
        return path

    def run(self, *words, **options):
        subprocess.run(words, env=dict(self.setting.environment, **options), check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=self.folder)

    def prepare(self):
        pass

    def close(self):
        pass


class Editor(Saving):
    is_over = False

    def open(self, *words):
        self.terminal = Terminal([*words, self.path], self.setting.environment)

    def save(self):
        self.terminal.press(self.save_keys)

    def close(self):
        self.terminal.end(self.end_keys)


class Vim(Editor):
    save_keys, end_keys, package = ":w\r", ":q\r", "vim"

    def prepare(self):
        self.open("vim", "-u", "DEFAULTS", "-i", "NONE")
        keys = {"item.json": ':%%s/"title": "[^"]*/& %s/\r', "text.md": "Go%s\x1b"}[self.name]
        self.terminal.type(keys % self.word)


class Nano(Editor):
    save_keys, end_keys, package = "\x0f\r", "\x18", "nano"

    def prepare(self):
        self.open("nano", "--ignorercfiles")
        if self.name == "item.json":
            self.terminal.type('\x17title": \r')
            self.terminal.type("\x05\x02\x02 " + self.word)
        else:
            self.terminal.type("\x1b/")
            self.terminal.type(self.word + "\r")


class Emacs(Editor):
    save_keys, end_keys, package = "\x18\x13", "\x18\x03", "emacs-nox"

    def prepare(self):
        self.open("emacs", "-nw", "-Q")
        if self.name == "item.json":
            self.terminal.type('\x13title": \r')
            self.terminal.type("\x05\x02\x02 " + self.word)
        else:
            self.terminal.type("\x1b>")
            self.terminal.type(self.word + "\r")


class Sed(Saving):
    def save(self):
        edit = {"item.json": r's/\("title": "[^"]*\)/\1 %s/', "text.md": "$s/$/ %s/"}[self.name]
        self.run("sed", "-i", edit % self.word, self.path)


class GitCheckout(Saving):
    package = "git"

    def prepare(self):
        git = self.git = {"GIT_DIR": self.place + "/git", "GIT_WORK_TREE": self.folder}
        self.run("git", "init", "-q", **git)
        self.run("git", "add", self.name, **git)
        self.run("git", "commit", "-qm", "old", **git)
        # The changed version becomes a commit without touching the work tree.
        with open(self.place + "/changed", "w") as file:
            file.write(self.content())
        self.run("sh", "-c", """
            git branch -q old
            blob=$(git hash-object -w "$CHANGED") && git update-index --cacheinfo "100644,$blob,$NAME"
            git branch -q new "$(git commit-tree -p HEAD -m new "$(git write-tree)")" && git read-tree HEAD
            git update-index -q --refresh""", CHANGED=self.place + "/changed", NAME=self.name, **git)

    def save(self):
        self.run("git", "checkout", "-q", "new", **self.git)


class Rsync(Saving):
    package = "rsync"

    def prepare(self):
        self.source()

    def save(self):
        self.run("rsync", "-a", self.place + "/", self.folder + "/")


class Copy(Saving):
    def prepare(self):
        self.copy = self.source()

    def save(self):
        self.run("cp", self.copy, self.path)


class Move(Copy):
    def save(self):
        self.run("mv", self.copy, self.path)


class Map(Saving):
    """Overwrites the beginning of the text in mapped memory."""
    files = ("text.md",)

    def save(self):
        with open(self.path, "r+b") as file:
            with mmap.mmap(file.fileno(), 0) as memory:
                word = (self.word + " ").encode()
                memory[:len(word)] = word


PROGRAMS = {
    "vim": Vim, "nano": Nano, "emacs -nw": Emacs, "sed -i": Sed, "git checkout": GitCheckout, "rsync -a": Rsync,
    "cp": Copy, "mv": Move, "mmap": Map,
}

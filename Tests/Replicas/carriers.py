"""Programs that carry files between two copies of a library. None of them knows what the files mean."""
import hashlib
import os
import random
import shutil
import subprocess
import tempfile

from syncthing import Syncthing
from world import Failure


def rsync(source, target, *more):
    """The newer file wins, and the older one is gone. No file is deleted."""
    # rsync compares whole seconds, and a script makes many edits in one, some of one length: files that are newer there are
    # named, and a time differs if its nanoseconds do.
    newer = []
    for path in target.files():
        try:
            times = [os.stat(os.path.join(copy.path, path)).st_mtime_ns for copy in (source, target)]
        except FileNotFoundError:
            continue
        if times[1] > times[0]:
            newer.append("/" + path)
    with tempfile.NamedTemporaryFile("w", dir=source.world.top) as left:
        left.write("".join(path + "\n" for path in newer))
        left.flush()
        run = subprocess.run(
            ["rsync", "-a", "-u", "--modify-window=-1", "--exclude=/.sbfs", "--exclude-from=" + left.name, *more, source.path + "/", target.path + "/"],
            capture_output=True)
    if run.returncode:
        raise Failure("rsync: " + run.stderr.decode(errors="replace"))


class Rsync:
    """rsync in both directions."""

    def __init__(self, world):
        self.world = world

    def sync(self, a, b):
        for source, target in ((a, b), (b, a)):
            if self.world.options.late and not self.world.is_ending and self.world.random.random() < 0.5:
                # The items come before their history/, and somebody works in between.
                rsync(source, target, "--exclude=history/")
                if self.world.random.random() < 0.5:
                    self.world.edit(target)
                elif self.world.random.random() < 0.5:
                    target.settle()
            rsync(source, target)


class Git:
    """Commits, pulls and pushes by way of a bare repository, in clones that "sbfs git setup" set up."""

    # Commits are the versions here.
    own = "/history/"

    def __init__(self, world):
        self.world = world
        self.shared = os.path.join(world.top, "shared.git")
        self.git(world.copies[0], "init", "-q", "--bare", "-b", "main", self.shared)
        self.is_begun = set()

    def git(self, copy, *words, exits=(0,)):
        run = subprocess.run(["git", *words], cwd=copy.path, env=copy.environment, capture_output=True, timeout=300)
        if run.returncode not in exits:
            raise Failure("%s: git %s ended with %d: %s%s" % (
                copy.name, " ".join(words), run.returncode, run.stdout.decode(errors="replace")[-200:],
                run.stderr.decode(errors="replace")[-300:]))
        return run.returncode

    def begin(self, copy):
        if copy.name in self.is_begun:
            return
        self.is_begun.add(copy.name)
        self.git(copy, "init", "-q", "-b", "main")
        self.git(copy, "config", "pull.rebase", "false")
        self.git(copy, "remote", "add", "origin", self.shared)
        if self.git(copy, "fetch", "-q", "origin", "main", exits=(0, 128)) == 0:
            self.git(copy, "checkout", "-q", "-f", "-B", "main", "FETCH_HEAD")
        copy.run("git", "setup")

    def sync(self, a, b):
        for copy in (a, b, a):
            self.begin(copy)
            self.git(copy, "add", "-A")
            self.git(copy, "commit", "-qm", "edits", exits=(0, 1))
            if self.git(copy, "fetch", "-q", "origin", "main", exits=(0, 128)) == 0:
                self.git(copy, "merge", "-q", "--no-edit", "FETCH_HEAD")
            self.git(copy, "push", "-q", "origin", "HEAD:main")


class Forge(Git):
    """As git, but each merge is made elsewhere without sbfs: one side's lines win, or markers are committed."""

    def __init__(self, world):
        super().__init__(world)
        self.place = os.path.join(world.top, "forge")
        self.ways = random.Random(world.random.random())

    def forge(self, copy, *words, exits=(0,)):
        return self.git(copy, "-C", self.place, *words, exits=exits)

    def sync(self, a, b):
        for copy in (a, b, a):
            self.begin(copy)
            self.commit(copy)
            if self.git(copy, "fetch", "-q", "origin", "main", exits=(0, 128)) == 0:
                if self.git(copy, "merge-base", "--is-ancestor", "FETCH_HEAD", "HEAD", exits=(0, 1)):
                    if self.git(copy, "merge-base", "--is-ancestor", "HEAD", "FETCH_HEAD", exits=(0, 1)):
                        self.merge(copy)
                    self.git(copy, "merge", "-q", "--ff-only", "FETCH_HEAD")
                    copy.run("git", "rejoin", exits=(0, 4))
                    self.commit(copy)
            self.git(copy, "push", "-q", "origin", "HEAD:main")

    def commit(self, copy):
        self.git(copy, "add", "-A")
        self.git(copy, "commit", "-qm", "edits", exits=(0, 1))

    def merge(self, copy):
        """Merges a copy's commits into the shared ones, and has the copy fetch the result."""
        if not os.path.isdir(self.place):
            self.git(copy, "clone", "-q", self.shared, self.place)
            self.forge(copy, "config", "core.hooksPath", "/dev/null")
        self.forge(copy, "fetch", "-q", "origin")
        self.forge(copy, "checkout", "-q", "-f", "-B", "main", "origin/main")
        self.forge(copy, "fetch", "-q", copy.path, "HEAD")
        way = self.ways.choice((["-X", "ours"], ["-X", "theirs"], []))
        self.forge(copy, "merge", "-q", "--no-commit", "--no-ff", *way, "FETCH_HEAD", exits=(0, 1))
        self.forge(copy, "add", "-A")
        self.forge(copy, "commit", "-qm", "merged", exits=(0, 1))
        self.forge(copy, "push", "-q", "origin", "HEAD:main")
        self.git(copy, "fetch", "-q", "origin", "main")


class SyncthingRules:
    """Syncthing's documented rules, without the program: of two versions the older is kept as a conflict copy, and deletions travel."""

    def __init__(self, world):
        self.world = world
        self.agreed = {}
        self.conflicts = 0

    def sync(self, a, b):
        files = {copy: {path: hashlib.sha256(content).digest() for path, content in copy.files().items()} for copy in (a, b)}
        base = self.agreed.setdefault(frozenset((a.name, b.name)), {})
        for path in sorted(set(files[a]) | set(files[b]) | set(base)):
            here, there, before = files[a].get(path), files[b].get(path), base.get(path)
            if here == there:
                continue
            if here == before and there is None:
                os.unlink(os.path.join(a.path, path))
            elif there == before and here is None:
                os.unlink(os.path.join(b.path, path))
            elif here == before or here is None:
                self.copy(b, a, path)
            elif there == before or there is None:
                self.copy(a, b, path)
            else:
                self.conflict(a, b, path)
        now = {copy: {path: hashlib.sha256(content).digest() for path, content in copy.files().items()} for copy in (a, b)}
        base.clear()
        base.update({path: content for path, content in now[a].items() if now[b].get(path) == content})

    def copy(self, source, target, path):
        new = os.path.join(target.path, path)
        os.makedirs(os.path.dirname(new), exist_ok=True)
        temporary = os.path.join(os.path.dirname(new), ".syncthing.%s.tmp" % os.path.basename(new))
        shutil.copy2(os.path.join(source.path, path), temporary)
        os.rename(temporary, new)

    def conflict(self, a, b, path):
        def age(copy):
            return os.stat(os.path.join(copy.path, path)).st_mtime_ns, copy.name

        newer, older = (a, b) if age(a) >= age(b) else (b, a)
        self.conflicts += 1
        stem, extension = os.path.splitext(path)
        kept = "%s.sync-conflict-20260101-%06d-DEVICE%s%s" % (stem, self.conflicts, older.name.upper(), extension)
        os.rename(os.path.join(older.path, path), os.path.join(older.path, kept))
        self.copy(newer, older, path)
        self.copy(older, newer, kept)


class Merge:
    """`sbfs merge` from folder to folder: both at once, or one after the other."""

    def __init__(self, world):
        self.world = world

    def sync(self, a, b):
        if not os.path.exists(os.path.join(b.path, "library.json")):
            rsync(a, b)
            return
        is_both = self.world.random.random() < 0.5
        a.run("merge", b.path, *(["--both"] if is_both else []), exits=(0, 4))
        self.saw(a)
        if is_both:
            self.saw(b)
        elif self.world.is_ending or self.world.random.random() < 0.6:
            b.run("merge", a.path, exits=(0, 4))
            self.saw(b)

    def saw(self, copy):
        for edit in copy.unseen:
            edit.is_seen = True
        copy.unseen = []


class Exchange:
    """`sbfs sync` of each copy with one folder, in which the devices never meet."""

    def __init__(self, world):
        self.world = world
        self.folder = os.path.join(world.top, "exchange")
        world.copies[0].run("remote", "add", "exchange", self.folder)

    def sync(self, a, b):
        self.run(a)
        if not os.path.exists(os.path.join(b.path, "library.json")):
            b.run("init", "--from", self.folder)
        self.run(b)
        if self.world.is_ending or self.world.random.random() < 0.5:
            self.run(a)

    def run(self, copy):
        copy.run("sync")
        for edit in copy.unseen:
            edit.is_seen = True
        copy.unseen = []


class SyncthingExchange:
    """`sbfs sync` of each copy with a folder of its own, which Syncthing carries."""

    def __init__(self, world):
        self.world = world
        self.folders = {copy.name: os.path.join(world.top, "exchange-" + copy.name) for copy in world.copies}
        world.copies[0].run("remote", "add", "exchange", self.folders[world.copies[0].name])
        self.syncthing = Syncthing(world, self.folders)

    def sync(self, a, b):
        self.run(a)
        self.syncthing.sync(a, b)
        if not os.path.exists(os.path.join(b.path, "library.json")):
            b.run("init", "--from", self.folders[b.name])
        self.run(b)
        if self.world.is_ending or self.world.random.random() < 0.5:
            self.syncthing.sync(b, a)
            self.run(a)

    def run(self, copy):
        # What another device's head names may be on its way from a third one.
        copy.run("sync", exits=(0, 4))
        for edit in copy.unseen:
            edit.is_seen = True
        copy.unseen = []

    def end(self):
        self.syncthing.end()


CARRIERS = {"exchange": Exchange, "syncthing-exchange": SyncthingExchange, "merge": Merge, "rsync": Rsync, "git": Git, "forge": Forge, "syncthing": Syncthing, "syncthing-rules": SyncthingRules}

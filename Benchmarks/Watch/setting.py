"""Where a benchmark runs: the measured program, folders of its own, and made-up libraries."""
import os
import shutil
import subprocess
import sys
import tempfile
import time


def say(text):
    print(text, file=sys.stderr, flush=True)


def load():
    return "load %.1f" % os.getloadavg()[0]


class Setting:
    """Folders of its own in place of the person's. `work` lies on a disk: editors write in place below /tmp."""

    def __init__(self, sbfs, bench, work):
        self.sbfs = os.path.realpath(sbfs)
        self.bench = os.path.realpath(bench)
        os.makedirs(work, exist_ok=True)
        self.kept = os.path.realpath(work)
        self.work = tempfile.mkdtemp(prefix="run-", dir=self.kept)
        # The path of a socket has at most 107 bytes.
        self.runtime = tempfile.mkdtemp(prefix="sbfs-watch-")
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.work + "/home", "LANG": "C.UTF-8", "SBFS_OFFLINE": "1",
            "XDG_CONFIG_HOME": self.work + "/config", "XDG_STATE_HOME": self.work + "/state",
            "XDG_CACHE_HOME": self.work + "/cache", "XDG_RUNTIME_DIR": self.runtime, "TERM": "vt100",
            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null",
            "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org",
        }
        os.makedirs(self.work + "/home")
        # Background work that waits for the network or its day is not what is measured.
        for key in ("watch.archive", "watch.verify", "watch.notify"):
            self.run(self.sbfs, "config", key, "off")

    def close(self):
        shutil.rmtree(self.runtime, ignore_errors=True)
        shutil.rmtree(self.work, ignore_errors=True)

    def run(self, *words, status=(0,), text=None):
        """Runs a program to its end and returns its standard output."""
        done = subprocess.run(words, env=self.environment, capture_output=True, text=True,
                              **({"input": text} if text is not None else {"stdin": subprocess.DEVNULL}))
        if done.returncode not in status:
            sys.exit("%s ended with status %d: %s" % (" ".join(words)[:200], done.returncode, done.stderr[-500:]))
        return done.stdout

    def library(self, count, name):
        """A new library of made-up items."""
        path = self.work + "/" + name
        self.run(self.bench, "library", "make", path, str(count))
        self.run(self.sbfs, "--library", path, "reindex")
        return path

    def large_library(self, count):
        """A library that is kept between runs, since it takes long to make. Its index is current and its files are old."""
        path = "%s/library-%d" % (self.kept, count)
        if not os.path.isdir(path + "/items"):
            say("making a library of %d items" % count)
            shutil.rmtree(path, ignore_errors=True)
            self.run(self.bench, "library", "make", path + ".new", str(count))
            os.rename(path + ".new", path)
        self.run(self.sbfs, "--library", path, "reindex")
        # A sweep within two seconds of a change compares the content again.
        time.sleep(3)
        self.run(self.sbfs, "--library", path, "reindex")
        return path


def item_folders(library, most):
    """Folders of items that have a text, spread over the shards."""
    names = {shard: sorted(os.listdir("%s/items/%s" % (library, shard)))
             for shard in sorted(os.listdir(library + "/items"))}
    found = []
    for place in range(max(map(len, names.values()))):
        for shard, ids in names.items():
            folder = "%s/items/%s/%s" % (library, shard, ids[place]) if place < len(ids) else ""
            if folder and os.path.exists(folder + "/text.md"):
                found.append(folder)
                if len(found) == most:
                    return found
    return found

"""What a device keeps of one item in .sbfs. None of it travels, and all of it may be deleted."""

import canonical

MINUTE = 60_000
SWEEPS = 3                    # sweeps that bytes wait for a version that explains them, and
BYTES_WAIT = 1440 * MINUTE      # how long at least, in milliseconds
VERSION_WAIT = 30 * 1440 * MINUTE  # how long a version waits for parents that were never here


class Memory:
    def __init__(self):
        self.content = None      # the state that the last sweep or command left
        self.edited = False      # whether a program may have changed that state since updatedAt, of an item without history
        self.at = None           # the version of that state; None for an item without history
        self.waits = {}          # what waits: for how many sweeps, and since when
        self.times = {}          # hash of bytes that wait -> their modification time
        self.changed = None      # the ctime of the text at the last look
        self.showing = {}        # component -> what was left live at the last sweep though it is not of the known state
        self.aside = {}          # (component, hash) -> bytes that wait and are not live any more
        self.left = {}           # component -> hash of a page or document that stays until its successor arrives
        self.had = {}            # path below history/ -> bytes: hard links to versions and texts that were here
        self.kept = {}           # hash -> page or document, as hard links in a program
        self.wanted = set()      # (unit, hash) of losers whose bytes were not found yet
        self.joined = set()      # merges whose losers were looked for
        self.steps = []          # (before, after) of commands, for undo

    def note_change(self, disk, thing):
        file = disk.files.get(thing.paths.get("text", ""))
        self.changed = file.ctime if file else None

    def waited(self, key, now, time=BYTES_WAIT):
        """Counts a sweep for what waits; whether it waited long enough."""
        count, since = self.waits.get(key, (0, now))
        self.waits[key] = count + 1, min(since, now)
        return self.is_over(key, now, time)

    def is_over(self, key, now, time):
        count, since = self.waits.get(key, (0, now))
        return count > SWEEPS and now - since >= time

    def set_aside(self, component, data):
        self.aside[component, canonical.sha(data)] = data

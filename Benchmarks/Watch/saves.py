"""How soon a save by a real program is found: by looking at the index, and by a question right after the save."""
import itertools
import os
import sys
import time

from programs import PROGRAMS
from setting import say

_numbers = itertools.count()


def new_word():
    return "w%07dq%04d" % (os.getpid() % 10**7, next(_numbers))


def quantile(values, share):
    """The smallest value that at least this share of the values does not exceed."""
    values = sorted(values)
    return values[max(0, -int(-share * len(values) // 1) - 1)]


def until_saved(saving):
    """Waits until the file holds the word: the save of an editor that goes on running is over."""
    end = time.monotonic() + 10
    word = saving.word.encode()
    while time.monotonic() < end:
        try:
            with open(saving.path, "rb") as file:
                if word in file.read():
                    return
        except FileNotFoundError:
            pass
        time.sleep(0.0005)
    sys.exit("%s did not save" % type(saving).__name__)


def measure_saves(setting, library, look, folders, count):
    """Milliseconds from the file's last change until the index has the word, for each program.

    The kernel's time of a change may be a clock tick (4 ms) early, never late."""
    delays = {}
    for name, program in PROGRAMS.items():
        delays[name] = []
        for number in range(count):
            folder = next(folders)
            saving = program(setting, folder, program.files[number % len(program.files)], new_word())
            look.begin(saving.word)
            saving.save()
            found, ids = look.end()
            saved = os.stat(saving.path).st_ctime_ns
            saving.close()
            if ids != [os.path.basename(folder)]:
                sys.exit("saved by %s in %s, and not found: %s" % (name, saving.path, ids))
            delays[name].append((found - saved) / 1e6)
        say("  %s: %s" % (name, " ".join("%.0f" % delay for delay in delays[name])))
    return delays


def measure_questions(setting, library, folders, count):
    """Milliseconds of `sbfs search` right after the save, for each program; every answer must have the item."""
    times = {}
    for name, program in PROGRAMS.items():
        times[name] = []
        for number in range(count):
            folder = next(folders)
            saving = program(setting, folder, program.files[number % len(program.files)], new_word())
            saving.save()
            if not saving.is_over:
                until_saved(saving)
            start = time.monotonic()
            ids = setting.run(setting.sbfs, "--library", library, "search", "--ids", saving.word, status=(0, 3)).split()
            times[name].append((time.monotonic() - start) * 1000)
            saving.close()
            if ids != [os.path.basename(folder)]:
                sys.exit("a question right after a save by %s in %s finds %s" % (name, saving.path, ids))
    return times

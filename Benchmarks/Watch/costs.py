"""What the daemon costs, and how long its work takes: start, memory, rest, inbox, views, searching, a limit of watches."""
import glob
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import time

from daemon import Daemon, Look
from saves import new_word
from setting import item_folders, load, say


def slab():
    """MB of the kernel's memory for its own objects that it cannot give back, of which watches are one kind."""
    with open("/proc/meminfo") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith("SUnreclaim:"))


def start_and_memory(setting, library, runs):
    """Seconds until the daemon is ready, its memory in MB, its watches, and the kernel's memory for them."""
    seconds, resident, peaks = [], [], []
    kernel = []
    for _ in range(runs):
        before = slab()
        daemon = Daemon(setting, library)
        after = slab()
        seconds.append(daemon.ready_after)
        time.sleep(1)
        resident.append(daemon.resident())
        peaks.append(daemon.peak())
        status = daemon.status()
        daemon.stop()
        kernel.append(after - before)
        say("  ready after %.2f s, %.0f MB resident, of which %.0f MB are no file; %s" % (
            seconds[-1], *resident[-1], load()))
    return seconds, resident, peaks, status, statistics.median(kernel)


def rest(daemon, before, seconds):
    """Context switches of all threads in some time in which nothing happens, a minute."""
    time.sleep(before)
    first, begin = daemon.switches(), time.monotonic()
    time.sleep(seconds)
    return (daemon.switches() - first) / (time.monotonic() - begin) * 60


def inbox(setting, library, count):
    """Seconds from the last of many files in the inbox until all are items and the inbox is empty."""
    daemon = Daemon(setting, library)
    look = Look(setting, library)
    mark = new_word()
    place = setting.work + "/dropped"
    os.makedirs(place)
    for number in range(count):
        kind = ("url", "md", "txt", "pdf", "png")[number % 5]
        with open("%s/file %d.%s" % (place, number, kind), "w") as file:
            if kind == "url":
                file.write("[InternetShortcut]\nURL=https://site%d.example.org/%s/%d\n" % (number % 97, mark, number))
            elif kind in ("md", "txt"):
                file.write("Number %d of the files\n\nwith %s in it\n" % (number, mark))
            else:
                file.write("%%PDF-1.4\n%s %d\n" % (mark, number) + "x" * 5000)
    before = len(glob.glob(library + "/items/*/*"))
    start = time.monotonic()
    for name in os.listdir(place):
        os.rename(place + "/" + name, library + "/inbox/" + name)
    dropped = time.monotonic() - start
    while time.monotonic() - start < 120:
        left = [entry for entry in os.scandir(library + "/inbox") if entry.is_file()]
        if not left:
            break
        time.sleep(0.05)
    seconds = time.monotonic() - start
    made = len(glob.glob(library + "/items/*/*")) - before
    daemon.ask()
    ids = setting.run(setting.sbfs, "--library", library, "list", "--ids", "--all", mark, status=(0, 2, 3)).split()
    look.close()
    daemon.stop()
    shutil.rmtree(place)
    if left or made != count:
        sys.exit("%d of %d files became items, %d wait" % (made, count, len(left)))
    return seconds


def views(setting, library):
    """Seconds of a full view with links, and milliseconds after one change."""
    folder = setting.work + "/shown"
    os.makedirs(folder)
    start = time.monotonic()
    setting.run(setting.sbfs, "--library", library, "view", "add", folder, "--profile", "full", "--mode", "symlink")
    seconds = time.monotonic() - start
    count = len(os.listdir(folder + "/StuffBucket/All"))
    after = [float(word) for word in setting.run(setting.bench, "watch", "view", "--library", library).split()]
    setting.run(setting.sbfs, "--library", library, "view", "remove", folder)
    return seconds, count, after


def copied_view(setting, megabytes):
    """MB per second of a view that copies documents of 4 MB, and of cp -r."""
    library = setting.library(1, "documents")
    place = setting.work + "/large"
    os.makedirs(place)
    for number in range(megabytes // 4):
        with open("%s/document %d.bin" % (place, number), "wb") as file:
            file.write(random.Random(number).randbytes(4 << 20))
    setting.run(setting.sbfs, "--library", library, "add", *["%s/%s" % (place, name) for name in os.listdir(place)])
    os.sync()
    start = time.monotonic()
    subprocess.run(["cp", "-r", "--reflink=never", place, setting.work + "/copied"], check=True)
    # A view is durable when the command ends.
    subprocess.run(["sync", "-f", setting.work + "/copied"], check=True)
    peer = time.monotonic() - start
    os.sync()
    folder = setting.work + "/shown-copies"
    os.makedirs(folder)
    start = time.monotonic()
    setting.run(setting.sbfs, "--library", library, "view", "add", folder, "--profile", "full", "--mode", "copy")
    seconds = time.monotonic() - start
    for path in (place, setting.work + "/copied", folder, library):
        shutil.rmtree(path)
    return megabytes / seconds, megabytes / peer


def shown_after(setting, library, runs):
    """Milliseconds from a save until the view of a running daemon shows it."""
    folder = setting.work + "/followed"
    os.makedirs(folder)
    setting.run(setting.sbfs, "--library", library, "view", "add", folder, "--profile", "full", "--mode", "symlink")
    daemon = Daemon(setting, library)
    time.sleep(3)
    shown = folder + "/StuffBucket/All"
    delays = []
    for item in item_folders(library, runs):
        word = new_word()
        with open(item + "/item.json") as file:
            old = file.read()
        # The title is the name in the view.
        new = re.sub(r'"title": "[^"]*"', '"title": "%s"' % word, old, count=1)
        with open(item + "/item.json", "w") as file:
            file.write(new)
        start = time.monotonic()
        while not any(word in name for name in os.listdir(shown)):
            if time.monotonic() - start > 20:
                sys.exit("the view does not show %s" % word)
            time.sleep(0.005)
        delays.append((time.monotonic() - start) * 1000)
    daemon.stop()
    setting.run(setting.sbfs, "--library", library, "view", "remove", folder)
    return delays


def writers(setting, library, processes, each):
    """Many writing commands beside the daemon, while files change: nothing is lost, and the index catches up.

    Returns the seconds of the commands, and the seconds after them until the index alone has everything."""
    daemon = Daemon(setting, library)
    look = Look(setting, library)
    folders = item_folders(library, processes)
    script = """
        for n in $(seq "$EACH"); do
            echo "$MARK$n text" | "$SBFS" --library "$LIBRARY" add - > /dev/null || exit 1
            echo "$MARK$n.edited" > "$FOLDER/text.md"
        done"""
    expected, running = [], []
    start = time.monotonic()
    for folder in folders:
        mark = new_word() + "n"
        expected += ["%s%d" % (mark, number) for number in range(1, each + 1)]
        running.append(subprocess.Popen(["sh", "-c", script], env=dict(
            setting.environment, EACH=str(each), SBFS=setting.sbfs, LIBRARY=library, MARK=mark, FOLDER=folder)))
    failed = [process.wait() for process in running]
    seconds = time.monotonic() - start
    if any(failed):
        sys.exit("writing commands beside the daemon ended with %s" % failed)
    start = time.monotonic()
    missing = expected
    while missing and time.monotonic() - start < 30:
        missing = [word for word in missing if not look.now(word)]
    caught_up = time.monotonic() - start
    look.close()
    daemon.stop()
    if missing:
        sys.exit("%d of %d items are not in the index beside a daemon" % (len(missing), len(expected)))
    checked = setting.run(setting.sbfs, "--library", library, "check", status=(0, 1, 3))
    return seconds, caught_up, len(expected), checked


def few_watches(setting, library, limit, is_known):
    """The status of a daemon that may set only few watches: the kernel's limit is known before, or met."""
    number = setting.work + "/max_user_watches"
    with open(number, "w") as file:
        file.write("%d\n" % limit)
    # A limit of a user namespace holds for it alone, and so does a mount.
    script = {
        True: 'mount --bind "$1" /proc/sys/fs/inotify/max_user_watches',
        False: 'echo %d > /proc/sys/user/max_inotify_watches' % limit,
    }[is_known]
    return ["unshare", "--user", "--map-current-user", "--keep-caps", "--mount", "sh", "-c",
            script + ' && shift && exec "$@"', "sh", number]

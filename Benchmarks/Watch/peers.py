"""What other programs that watch folders cost, in the same run: inotifywait, watchman and recollindex.

A program that is not installed is named with the command that installs it."""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

from daemon import Process
from saves import new_word
from setting import say
from storm import rage


def missing(program, package):
    if shutil.which(program):
        return False
    say("%s is missing: apt-get install %s" % (program, package))
    return True


class Lines:
    """The lines of a process's output, read as they come."""

    def __init__(self, stream):
        self.lines, self.count, self.stream = [], 0, stream
        self.keeps = True
        self.condition = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.stream:
            with self.condition:
                self.count += 1
                if self.keeps:
                    self.lines.append((time.time_ns(), line))
                self.condition.notify_all()

    def wait(self, text, seconds):
        """The time of the first line with a text; such lines are forgotten."""
        end = time.monotonic() + seconds
        with self.condition:
            while True:
                for place, (moment, line) in enumerate(self.lines):
                    if text in line:
                        del self.lines[:place + 1]
                        return moment
                left = end - time.monotonic()
                if left <= 0 or not self.condition.wait(left):
                    return None


class InotifyWait:
    """`inotifywait -r -m`: sets watches and prints events."""
    name, program, package = "inotifywait -r", "inotifywait", "inotify-tools"

    def __init__(self, setting, folder):
        start = time.monotonic()
        self.process = subprocess.Popen(
            ["inotifywait", "-m", "-r", "-e", "modify,attrib,close_write,move,create,delete", folder],
            env=setting.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
        self.out, self.errors = Lines(self.process.stdout), Lines(self.process.stderr)
        if self.errors.wait("Watches established", 600) is None:
            sys.exit("inotifywait sets no watches")
        self.ready_after = time.monotonic() - start
        self.costs = Process(self.process.pid)

    def told(self, folder):
        """Calls after a save: when the program tells of it."""
        return self.out.wait(folder, 30)

    def forget(self):
        time.sleep(0.3)
        with self.out.condition:
            self.out.lines.clear()

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Watchman:
    """watchman: keeps a picture of a folder, and answers questions about it that see every earlier change."""
    name, program, package = "watchman", "watchman", "watchman"

    def __init__(self, setting, folder):
        self.folder, place = folder, setting.runtime + "/watchman"
        os.makedirs(place, exist_ok=True)
        self.log = open(place + "/log", "ab")
        self.process = subprocess.Popen(
            ["watchman", "--foreground", "--sockname=" + place + "/sock", "--statefile=" + place + "/state",
             "--pidfile=" + place + "/pid", "--logfile=" + place + "/log"], env=setting.environment,
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(600)
        for _ in range(200):
            try:
                self.socket.connect(place + "/sock")
                break
            except OSError:
                time.sleep(0.05)
        self.answers = self.socket.makefile("r", encoding="utf-8", errors="replace")
        start = time.monotonic()
        self.ask(["watch", folder])
        self.query("library.json")
        self.ready_after = time.monotonic() - start
        self.costs = Process(self.process.pid)

    def ask(self, request):
        self.socket.sendall(json.dumps(request).encode() + b"\n")
        answer = json.loads(self.answers.readline())
        if "error" in answer:
            sys.exit("watchman: %s" % answer["error"][-300:])
        return answer

    def query(self, name):
        return self.ask(["query", self.folder, {"expression": ["name", name, "wholename"], "fields": ["name", "size", "mtime_ns"],
                                                "sync_timeout": 300000}])

    def told(self, folder):
        """Asks until watchman knows the file's new time. Each question waits until watchman has seen all earlier changes."""
        path = folder + "/text.md"
        changed = os.stat(path).st_mtime_ns
        end = time.monotonic() + 30
        while time.monotonic() < end:
            files = self.query(os.path.relpath(path, self.folder))["files"]
            if files and files[0]["mtime_ns"] == changed:
                return time.time_ns()
        return None

    def forget(self):
        pass

    def stop(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        self.log.close()


def save(path, word):
    subprocess.run(["sed", "-i", "$s/$/ %s/" % word, path], check=True)


def tell_delays(peer, folders, count):
    """Milliseconds from a save by sed -i until the peer tells of it."""
    delays = []
    for _ in range(count):
        folder = next(folders)
        peer.forget()
        save(folder + "/text.md", new_word())
        saved = os.stat(folder + "/text.md").st_ctime_ns
        told = peer.told(folder)
        if told is None:
            say("  %s did not tell of a save" % peer.name)
            continue
        delays.append((told - saved) / 1e6)
    return delays


def recoll_delays(setting, count):
    """Milliseconds from a save until recoll's index has it, watched by `recollindex -m`; and its memory in MB."""
    folder, config = setting.work + "/recoll-files", setting.work + "/recoll"
    os.makedirs(folder)
    os.makedirs(config)
    for number in range(1000):
        with open("%s/note %d.txt" % (folder, number), "w") as file:
            file.write("note number %d\n" % number)
    with open(config + "/recoll.conf", "w") as file:
        file.write("topdirs = %s\n" % folder)
    environment = dict(setting.environment, RECOLL_CONFDIR=config)
    subprocess.run(["recollindex", "-c", config], env=environment, check=True, capture_output=True)
    process = subprocess.Popen(["recollindex", "-c", config, "-m", "-D", "-x", "-w", "0"], env=environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(5)
    delays = []
    for number in range(count):
        path, word = "%s/note %d.txt" % (folder, number * 7), new_word()
        save(path, word)
        saved = os.stat(path).st_ctime_ns
        while time.time_ns() - saved < 120e9:
            found = subprocess.run(["recollq", "-c", config, "-t", "-b", word], env=environment, capture_output=True, text=True)
            if "note" in found.stdout:
                delays.append((time.time_ns() - saved) / 1e6)
                break
            time.sleep(0.05)
    resident = Process(process.pid).resident()[0]
    process.terminate()
    process.wait()
    return delays, resident


PEERS = [InotifyWait, Watchman]


def in_storm(peer, storm, events, stopped):
    """What a peer makes of a storm in which it is stopped for some seconds."""
    if isinstance(peer, InotifyWait):
        peer.out.keeps = False
        before = peer.out.count
    begun = storm.events
    number = peer.process
    seconds = rage(storm, begun + events, lambda: number.send_signal(signal.SIGSTOP), lambda: number.send_signal(signal.SIGCONT), stopped)
    start = time.monotonic()
    if isinstance(peer, Watchman):
        # A query waits until watchman has seen everything before it.
        names = peer.ask(["query", peer.folder, {"expression": ["name", "item.json"], "fields": ["name", "mtime_ns"],
                                                 "sync_timeout": 300000}])
        after = time.monotonic() - start
        known = {file["name"]: file["mtime_ns"] for file in names["files"]}
        true = {os.path.relpath(storm.path(id), peer.folder): os.stat(storm.path(id)).st_mtime_ns for id in storm.words}
        wrong = sum(known.get(name) != moment for name, moment in true.items())
        notice = "said that it lost events and read all again" if "warning" in names else "said nothing of lost events"
        return "%d events in %.0f s; right after %.1f s (%d of %d files wrong); %s; %.0f MB" % (
            storm.events - begun, seconds, after, wrong, len(true), notice, peer.costs.resident()[0])
    last = -1
    while last != peer.out.count:
        last = peer.out.count
        time.sleep(1)
    return "%d lines told of about %d events in %.0f s: the rest is lost; %.0f MB" % (
        last - before, storm.events - begun, seconds, peer.costs.resident()[0])

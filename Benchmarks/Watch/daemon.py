"""The daemon under measurement, and what the kernel says about a process."""
import glob
import json
import os
import signal
import socket
import subprocess
import sys
import time


class Process:
    """A process by its number."""

    def __init__(self, pid):
        self.pid = pid

    def _status(self, task=None):
        path = "/proc/%d/task/%s/status" % (self.pid, task) if task else "/proc/%d/status" % self.pid
        with open(path) as file:
            return dict(line.rstrip().split(":", 1) for line in file if ":" in line)

    def resident(self):
        """MB: all that is resident, and the part of it that is no file."""
        status = self._status()
        return tuple(int(status[key].split()[0]) / 1024 for key in ("VmRSS", "RssAnon"))

    def peak(self):
        return int(self._status()["VmHWM"].split()[0]) / 1024

    def switches(self):
        """Context switches of all threads."""
        total = 0
        for task in os.listdir("/proc/%d/task" % self.pid):
            status = self._status(task)
            total += sum(int(status[key]) for key in ("voluntary_ctxt_switches", "nonvoluntary_ctxt_switches"))
        return total

    def seconds(self):
        with open("/proc/%d/stat" % self.pid) as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Daemon(Process):
    """`sbfs watch --foreground`, started as a service manager does it, which is how its readiness is known to the millisecond."""

    def __init__(self, setting, library, before=(), patience=120):
        self.setting, self.library = setting, library
        path = "%s/notify-%d" % (setting.runtime, time.monotonic_ns())
        self._signs = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._signs.bind(path)
        self._signs.settimeout(0.2)
        self.log = open(setting.work + "/daemon.log", "ab")
        environment = dict(setting.environment, NOTIFY_SOCKET=path)
        start = time.monotonic()
        self.process = subprocess.Popen(
            [*before, setting.sbfs, "--library", library, "watch", "--foreground"], env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.log)
        super().__init__(self.process.pid)
        while True:
            try:
                if b"READY=1" in self._signs.recv(4096):
                    break
            except TimeoutError:
                if not self.is_alive() or time.monotonic() - start > patience:
                    sys.exit("the daemon is not ready; its log is %s:\n%s" % (self.log.name, open(self.log.name).read()[-500:]))
        self.ready_after = time.monotonic() - start
        os.unlink(path)

    def status(self):
        return json.loads(self.setting.run(self.setting.sbfs, "--library", self.library, "status", "--json"))

    def ask(self, request="catch-up", patience=120):
        """One question on the socket; the answer is a line."""
        paths = glob.glob(self.setting.runtime + "/sbfs/*.socket")
        for path in paths:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
                connection.settimeout(patience)
                try:
                    connection.connect(path)
                except ConnectionRefusedError:
                    continue
                connection.sendall(request.encode() + b"\n")
                answer = b""
                while not answer.endswith(b"\n"):
                    part = connection.recv(4096)
                    if not part:
                        return ""
                    answer += part
                return answer.decode().strip()
        sys.exit("no daemon answers")

    def signal(self, number):
        self.process.send_signal(number)

    def is_alive(self):
        return self.process.poll() is None

    def stop(self):
        """Ends the daemon; fails if it does not end by itself with status 0."""
        if self.is_alive():
            self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = "none within 20 s"
        self.log.close()
        self._signs.close()
        if status != 0:
            sys.exit("the daemon ended with status %s; its log is %s" % (status, self.log.name))


class Look:
    """Looks into the index as it is. No question is asked that would bring it up to date."""

    def __init__(self, setting, library):
        self._process = subprocess.Popen(
            [setting.bench, "watch", "look", "--index", library + "/.sbfs/index"], env=setting.environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def begin(self, word, milliseconds=15000):
        self._process.stdin.write("%s %d\n" % (word, milliseconds))
        self._process.stdin.flush()

    def end(self):
        """The time in nanoseconds since 1970, and the ids of the items that have the word."""
        words = self._process.stdout.readline().split()
        if not words:
            sys.exit("sbfs-bench watch look has ended")
        return int(words[0]), words[1:]

    def now(self, word):
        self.begin(word, 0)
        return self.end()[1]

    def close(self):
        self._process.stdin.close()
        self._process.wait()

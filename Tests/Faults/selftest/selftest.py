#!/usr/bin/env python3
"""Proves that the sweep finds faults: the shim by a program that is nothing but system calls, the rest by a naive store.

  selftest.py [--show]      needs cc and strace; exit status 0 when each cell is as it must be

Cells, for every call of callprobe.c through libc and through syscall(): count (seen once, with its path), kill (ended by
SIGKILL, nothing changed), error (fails with ENOSPC, nothing changed), EINTR (fails with EINTR), short (a write writes half;
any other call is left alone), race (a command runs before the call does), and outside (a call on another folder is left
alone). Inline system calls must not be seen at all. The naive store must fail in every mode.
"""
import argparse
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
HALVES = {"write", "pwrite", "writev", "pwritev", "pwritev2", "copy_file_range", "sendfile"}
KINDS = [
    ("open", "open|creat|mkstemp|fopen"), ("ftruncate", ".*trunc"), ("fallocate", ".*alloc"), ("rename", "rename"),
    ("link", "link|symlink"), ("mkdir", "mkd"), ("unlink", "unlink|rmdir|remove"), ("msync", "msync"), ("fsync", ".*sync"),
]


def kind(call):
    return "write" if call in HALVES else next((name for name, pattern in KINDS if re.match(pattern, call)), call)


def look(folder):
    """Names and bytes below a folder, without the probe's own store to its mapping."""
    files, folders = [], []
    for place, below, names in os.walk(folder):
        folders += below
        for name in names:
            with open(os.path.join(place, name), "rb") as file:
                content = file.read().replace(b"m", b"o", 1)
            files.append((os.path.relpath(os.path.join(place, name), folder), hashlib.sha256(content).hexdigest()))
    return sorted(files) + sorted(folders)


class Trial:
    def __init__(self, top):
        self.top, self.shim, self.probe = top, os.path.join(top, "shim.so"), os.path.join(top, "probe")
        self.log, self.raced = os.path.join(top, "log"), os.path.join(top, "raced")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self.shim, f"{HERE}/../shim.c", "-ldl"], check=True)
        subprocess.run(["cc", "-O1", "-o", self.probe, f"{HERE}/callprobe.c"], check=True)

    def calls(self, how):
        return subprocess.run([self.probe, how, "list"], capture_output=True, text=True).stdout.split()

    def run(self, how, call, mode, is_outside=False):
        """The probe's status and words, what the shim logged, whether nothing changed, and what the race saw."""
        folder = os.path.join(self.top, "elsewhere" if is_outside else "d")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(os.path.join(folder, "sub"))
        for name, byte in (("src", b"s"), ("dst", b"o")):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(byte * 4096)
        before = look(folder)
        for file in (self.log, self.raced):
            if os.path.exists(file):
                os.unlink(file)
        # The probe opens dst itself first, by open(): that is not the call that is meant.
        name = call.split("-")[0]
        is_open = name == "open"
        settings = {
            "LD_PRELOAD": self.shim, "FS_MODE": mode, "FS_N": "2" if is_open else "1", "FS_ERRNO": "28",
            "FS_LOG": self.log, "FS_PATH": os.path.join(self.top, "d"),
            "FS_CALLS": name if kind(call) == "open" else kind(call), "FS_RACE": f"ls -A {folder} > {self.raced}"}
        process = subprocess.run(
            [self.probe, how, "call", call, folder], env=dict(os.environ, **settings), capture_output=True, text=True,
            timeout=10)
        lines = open(self.log).read().splitlines() if os.path.exists(self.log) else []
        if is_open and mode == "count":
            lines = lines[1:]
        seen = open(self.raced).read().split() if os.path.exists(self.raced) else None
        return process.returncode, process.stdout.split(), lines, look(folder) == before, seen

    def cells(self, how, call):
        status, words, lines, _, _ = self.run(how, call, "count")
        worked = status == 0 and bool(words) and int(words[0]) >= 0
        if how == "asm":
            return {"unseen": worked and not lines}
        full = words[0] if words else "-1"
        cells = {"count": worked and len(lines) == 1 and "/d" in lines[0]}
        status, words, lines, same, _ = self.run(how, call, "kill")
        cells["kill"] = status == -signal.SIGKILL and same and len(lines) == 1
        status, words, lines, same, _ = self.run(how, call, "error")
        cells["error"] = status == 0 and words == ["-1", "28"] and same
        status, words, lines, same, _ = self.run(how, call, "eintr")
        cells["EINTR"] = status == 0 and words == ["-1", "4"] and same
        status, words, lines, _, _ = self.run(how, call, "short")
        cells["short"] = status == 0 and words == [str(int(full) // 2) if call in HALVES else full, "0"]
        status, words, lines, _, seen = self.run(how, call, "race")
        cells["race"] = status == 0 and words == [full, "0"] and seen == ["dst", "src", "sub"]
        status, words, lines, _, _ = self.run(how, call, "error", is_outside=True)
        cells["outside"] = status == 0 and not lines and words == [full, "0"]
        return cells


def naive_store_is_found():
    """Whether each mode of the naive store fails, and the sweep with it."""
    run = subprocess.run(
        [sys.executable, f"{HERE}/../run.py", f"{HERE}/naive.sh", "--bin", f"{HERE}/naive.py"], capture_output=True,
        text=True)
    failures = dict(re.findall(r"^(\S+) +\d+ calls, +(\d+) failures", run.stdout, re.M))
    passed = [mode for mode in ("kill", "ENOSPC", "EIO", "short", "race:editor") if failures.get(mode, "0") == "0"]
    if passed or run.returncode != 1:
        print(f"the naive store passed: {' '.join(passed)} (status {run.returncode})\n{run.stdout}")
    return not passed and run.returncode == 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="prints every call")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="selftest-") as top:
        trial = Trial(os.path.realpath(top))
        calls = cells = wrong = 0
        for how in ("libc", "syscall", "asm"):
            for call in trial.calls(how):
                found = trial.cells(how, call)
                failed = [name for name, holds in found.items() if not holds]
                calls, cells, wrong = calls + 1, cells + len(found), wrong + len(failed)
                if failed or options.show:
                    print(f"{how:8} {call:18} {'WRONG: ' + ' '.join(failed) if failed else 'ok'}")
    print(f"{calls} calls, {cells} cells, {wrong} wrong")
    if calls < 60 or not naive_store_is_found() or wrong:
        sys.exit(1)
    print("the naive store fails in every mode")


if __name__ == "__main__":
    main()

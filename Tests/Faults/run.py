#!/usr/bin/env python3
"""Runs one command repeatedly with a fault at its 1st, 2nd, 3rd … file-system call, and checks the library each time.

  run.py scenarios/NAME.sh --bin PROGRAM [--mode MODE …] [--step N] [--fs ext4|xfs]

A scenario is a file of bash functions, see README.md. Each run executes its `setup` in a new folder, its `change`
with one fault, then `check`, and `durable` if the command reported success.

Modes:
  kill                    SIGKILL instead of call N
  ENOSPC EIO EDQUOT …     call N fails once with this error; ENOSPC+ and EIO+: every call from N on
  EINTR, short            call N is interrupted; write N writes half
  race                    before call N, one of the scenario's functions race_NAME runs to its end, as another program's
                          save; then check_race judges instead of check
  power, power-after      as root: the file system is shut down at call N, or after the command, without writing its log or
                          dirty pages, and mounted again (goingdown of ext4 and xfs, on an image)
  power-meta, power-after-meta   the same, but an unrelated fsync commits the journal first: names and sizes reach the
                          disk, data that was not synced does not

First, one run without a fault: the command must succeed, `check` and `durable` must hold, and the shim must
count the same calls as strace. A mode without any call fails, and so does a run that ends by another signal or
the time limit. Exit status 0: no failure.
"""
import argparse
import errno
import os
import shutil
import subprocess
import sys
import tempfile
import time

from power import PowerLoss
from scenario import Scenario, Stop
from trace import changing_calls, strace_command, tally

HERE = os.path.dirname(os.path.abspath(__file__))
INTERRUPTIBLE = "write,fsync,open,ftruncate,fallocate"
# Modes that concern some kinds of calls only; one such call in a command is enough.
FEW_CALLS = ("short", "EINTR", "power-after", "power-after-meta")


class Sweep:
    """All modes of one scenario."""

    def __init__(self, options):
        self.options = options
        self.top = os.path.realpath(tempfile.mkdtemp(prefix="faults-", dir=options.work))
        self.work = os.path.join(self.top, "w")
        self.log = os.path.join(self.top, "log")
        self.shim = os.path.join(self.top, "shim.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self.shim, f"{HERE}/shim.c", "-ldl"], check=True)
        if not shutil.which("strace"):
            raise Stop("strace is not installed: apt-get install strace")
        self.scenario = Scenario(options.scenario, options.bin)

    def fresh(self, disk):
        """The state before the command, in a new folder or on a new disk; returns the library and the folder in which faults count."""
        shutil.rmtree(self.work, ignore_errors=True)
        os.mkdir(self.work)
        library = os.path.join(disk.renew() if disk else self.work, "lib")
        os.makedirs(library, exist_ok=True)
        status, said = self.scenario.run("setup", library, self.work)
        if status:
            raise Stop(f"setup failed: exit {status}: {said[-400:]}")
        if disk:
            os.sync()
        for name in (self.log, self.log + ".race"):
            if os.path.exists(name):
                os.unlink(name)
        return library, disk.mount_point if disk else self.work

    def change(self, library, below, mode, number, before=(), **more):
        settings = {"FS_MODE": mode, "FS_N": str(number), "FS_LOG": self.log, "FS_PATH": below, **more}
        return self.scenario.run("change", library, self.work, settings, preload=self.shim, before=before)

    def logged(self, word):
        if not os.path.exists(self.log):
            return []
        with open(self.log, errors="replace") as file:
            return [line.strip() for line in file if f" {word} " in line]

    def count(self):
        """The command without a fault; returns the number of its calls."""
        library, below = self.fresh(None)
        trace = os.path.join(self.top, "trace")
        status, said = self.change(library, below, "count", 0, before=strace_command(trace))
        if status:
            raise Stop(f"the command fails without a fault: exit {status}: {said[-400:]}")
        for function in ("check", "durable"):
            status, said = self.judge(function, library, 0, "none", False)
            if status:
                raise Stop(f"{function} fails without a fault: exit {status}: {said[-400:]}")
        seen = [line.split()[2].split(":")[0] for line in self.logged("seen")]
        # What a confined process does, no shim can log.
        confined = os.path.join(library, self.scenario.confined) if self.scenario.confined else None
        real = changing_calls(trace, below, self.work, confined)
        if len(seen) < self.scenario.min_points:
            raise Stop(f"the shim sees {len(seen)} calls, strace {len(real)}, and {self.scenario.min_points} are expected: "
                       "is the program static?")
        unseen = {kind for kind in real if real.count(kind) > seen.count(kind)}
        if unseen:
            raise Stop(f"the shim misses calls: strace sees {tally(real)}; the shim {tally(seen)}")
        print(f"counting run: {len(seen)} calls: {tally(seen)} (strace sees the same)", flush=True)
        return len(seen)

    def judge(self, function, library, status, fault, was_hit, race=""):
        return self.scenario.run(function, library, self.work, {
            "FAULT_STATUS": str(status), "FAULT": fault, "FAULT_HIT": "1" if was_hit else "0", "RACE": race})

    def one(self, mode, number, disk):
        """One run with one fault: the call hit, the command's status, and the error."""
        library, below = self.fresh(disk)
        base, _, race = mode.partition(":")
        if base.startswith("power-after"):
            status, said = self.scenario.run("change", library, self.work)
            hits = ["the end"] if number == 1 else []
        else:
            kind = base.rstrip("+")
            more = {}
            if kind in errno.errorcode.values() and kind != "EINTR":
                name = "sticky" if base.endswith("+") else "error"
                more["FS_ERRNO"] = str(getattr(errno, kind))
            else:
                name = {"EINTR": "eintr", "power": "kill", "power-meta": "kill"}.get(kind, kind)
            if kind == "EINTR":
                more["FS_CALLS"] = INTERRUPTIBLE
            if kind == "short":
                more["FS_CALLS"] = "write"
            if kind == "race":
                more["FS_RACE"] = self.scenario.shell_command(f"race_{race}")
            status, said = self.change(library, below, name, number, **more)
            hits = self.logged("HIT")
            if self.logged("RACE-FAILED"):
                with open(self.log + ".race", errors="replace") as file:
                    raise Stop(f"race_{race} failed: {file.read().strip()[-400:]}")
        hit = hits[0] if hits else ""
        if disk and hits:
            disk.cut(commits_journal=base.endswith("-meta"))
        faults = []
        if status == 124:
            faults.append("time limit")
        killed = name == "kill" if not base.startswith("power-after") else False
        if status < 0 and not (killed and status == -9):
            faults.append(f"ended by signal {-status}")
        check = "check_race" if base == "race" else "check"
        found, said = self.judge(check, library, status, f"{mode} {hit}", bool(hits), race)
        if found:
            faults.append(f"{check}: exit {found}: {said[-300:]}")
        if status == 0 and base != "race":
            found, said = self.judge("durable", library, status, f"{mode} {hit}", bool(hits))
            if found:
                faults.append(f"said done, and is not: exit {found}: {said[-200:]}")
        return hit, status, faults

    def run_mode(self, mode, calls):
        """All calls of one mode; returns the number of failures."""
        if mode.startswith("power") and os.geteuid():
            raise Stop(f"{mode} needs root")
        disk = PowerLoss(self.top, self.options.fs) if mode.startswith("power") else None
        began, number, points, failures = time.time(), 1, 0, 0
        try:
            while number <= (1 if mode.startswith("power-after") else self.options.max):
                hit, status, faults = self.one(mode, number, disk)
                if faults:
                    failures += 1
                    where = hit[:110].replace(self.top, "~")
                    what = " ".join("; ".join(faults).split()).replace(self.top, "~")[:300]
                    print(f"  FAIL {mode} at {number} [{where}] exit {status}: {what}", flush=True)
                if not hit:
                    break
                points += 1
                number += self.options.step
        finally:
            if disk:
                disk.remove()
        needed = min(self.scenario.min_points, (calls - 1) // self.options.step + 1)
        if points < (1 if mode in FEW_CALLS else max(1, needed)):
            failures += 1
            print(f"  FAIL {mode}: {points} calls were hit (a mode that concerns no call must be left out)", flush=True)
        print(f"{mode:12} {points:4} calls, {failures:3} failures, {time.time() - began:.1f} s", flush=True)
        return failures

    def run(self):
        calls = self.count()
        modes = self.options.mode or self.scenario.modes
        unknown = [m for m in modes if m not in self.scenario.modes]
        modes = [m for m in modes if m not in unknown]
        if not modes:
            raise Stop(f"the scenario has none of these modes: {' '.join(unknown)}")
        every = [each for mode in modes
                 for each in ([f"race:{name}" for name in self.scenario.races] if mode == "race" else [mode])]
        return sum(self.run_mode(mode, calls) for mode in every)

    def close(self):
        shutil.rmtree(self.top, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario")
    parser.add_argument("--bin", required=True, help="the program under test")
    parser.add_argument("--mode", action="append", help="those of the scenario if left out; others are passed over")
    parser.add_argument("--step", type=int, default=1, help="takes every N-th call")
    parser.add_argument("--max", type=int, default=2000, help="the last call that is tried")
    parser.add_argument("--fs", default="ext4", choices=["ext4", "xfs"])
    parser.add_argument("--work", help="a folder for scratch files")
    sweep = None
    try:
        sweep = Sweep(parser.parse_args())
        sys.exit(1 if sweep.run() else 0)
    except Stop as stop:
        print(f"FAIL {stop}", flush=True)
        sys.exit(1)
    finally:
        if sweep:
            sweep.close()


if __name__ == "__main__":
    main()

"""Replays hostile input against the program; one module of this folder is one subject.

A subject is a file with a function `run(sbfs, step)` that tries every `step`-th of its cases and returns `Failures`.
"""
import argparse, importlib, os, subprocess, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
SUBJECTS = sorted(name[:-3] for name in os.listdir(HERE) if name.endswith(".py") and name not in ("run.py", "common.py"))

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help="of: " + ", ".join(SUBJECTS))
parser.add_argument("--sbfs", required=True)
parser.add_argument("--sample", action="store_true", help="every seventh case")
arguments = parser.parse_args()
for name in arguments.subjects:
    if name not in SUBJECTS:
        parser.error("no subject %s; there are %s" % (name, ", ".join(SUBJECTS)))
failed = 0
chosen = arguments.subjects or SUBJECTS
if len(chosen) > 1:
    # A process for each: one of them looks at the memory of all that it started.
    more = ["--sample"] if arguments.sample else []
    for name in chosen:
        failed += subprocess.run([sys.executable, __file__, name, "--sbfs", arguments.sbfs, *more]).returncode != 0
    sys.exit(1 if failed else 0)
for name in chosen:
    begun = time.monotonic()
    failures = importlib.import_module(name).run(arguments.sbfs, 7 if arguments.sample else 1)
    if failures.cases == 0:
        sys.exit("%s: no case was tried" % name)
    print("%s: %d cases, %d failed (%.0f s)" % (name, failures.cases, len(failures.failed), time.monotonic() - begun), flush=True)
    failed += len(failures.failed)
sys.exit(1 if failed else 0)

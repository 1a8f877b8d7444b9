#!/usr/bin/env python3
"""Damages derived files, such as those of a search index, and checks whether the program notices.

  damage.py --tree DIR --files 'GLOB' --run 'COMMAND' [--refusals 4,65] [--samples N] [--every BYTES] [--seed S]

DIR is copied for every trial, so it should be small. GLOB is relative to it. COMMAND is run by bash in the copy, $TREE; its
output on the undamaged tree is the right answer. A trial passes when the answer is the right one, or when the command ends
with an exit status of --refusals. It fails with another answer, another status, a signal, or after the time limit.

Kinds of damage: every bit, byte and length of files of up to --every bytes, of larger ones N samples; blocks of zeros;
garbage at the end; an empty file, none, a folder in its place; two files swapped.
"""
import argparse
import collections
import concurrent.futures
import glob
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile

SECONDS = 20
JOBS = 2


def answer(command, tree):
    """The exit status, negative for a signal and None for the time limit, and the output."""
    process = subprocess.Popen(
        ["bash", "-c", command], cwd=tree, env=dict(os.environ, TREE=tree), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, b""
    status = process.returncode
    return 128 - status if status > 128 else status, output


def trials(tree, files, samples, every, random):
    """All (file, kind, number or other file)."""
    for name in files:
        with open(os.path.join(tree, name), "rb") as file:
            content = file.read()
        size = len(content)

        def chosen(count, number):
            return range(count) if size <= every else sorted(random.sample(range(count), min(number, count)))

        for bit in chosen(size * 8, samples):
            yield name, "bit", bit
        for place in chosen(size, samples // 4):
            for kind, byte in (("byte00", 0), ("byteff", 255)):
                if content[place] != byte:
                    yield name, kind, place
        for length in chosen(size, samples // 4):
            yield name, "cut", length
        for block in (512, 4096):
            for start in list(range(0, size, block))[:32]:
                yield name, f"zeros{block}", start
        yield from ((name, "append", 1), (name, "append", 4096), (name, "cut", 0), (name, "absent", 0), (name, "folder", 0))
    for first, second in zip(files, files[1:]):
        yield first, "exchanged", second


def damage(tree, name, kind, number):
    path = os.path.join(tree, name)
    with open(path, "rb") as file:
        content = bytearray(file.read())
    if kind == "bit":
        content[number // 8] ^= 1 << (number % 8)
    elif kind in ("byte00", "byteff"):
        content[number] = 0 if kind == "byte00" else 255
    elif kind == "cut":
        content = content[:number]
    elif kind.startswith("zeros"):
        block = int(kind[len("zeros"):])
        content[number:number + block] = bytes(len(content[number:number + block]))
    elif kind == "append":
        content += random.Random(number).randbytes(number)
    elif kind == "exchanged":
        other = os.path.join(tree, number)
        with open(other, "rb") as file:
            theirs = file.read()
        with open(other, "wb") as file:
            file.write(content)
        content = theirs
    os.unlink(path)
    if kind == "folder":
        os.mkdir(path)
    elif kind != "absent":
        with open(path, "wb") as file:
            file.write(content)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("tree", "files", "run"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--refusals", default="")
    for name, value in (("samples", 400), ("every", 256), ("seed", 1)):
        parser.add_argument("--" + name, type=int, default=value)
    options = parser.parse_args()
    refusals = {int(status) for status in options.refusals.split(",") if status}
    found = glob.glob(os.path.join(options.tree, options.files), recursive=True)
    files = sorted(os.path.relpath(path, options.tree) for path in found if os.path.isfile(path))
    if not files:
        sys.exit("no files match")
    with tempfile.TemporaryDirectory(prefix="damage-") as top:
        def trial(parts):
            tree = tempfile.mkdtemp(dir=top)
            shutil.copytree(options.tree, tree, symlinks=True, dirs_exist_ok=True)
            if parts:
                damage(tree, *parts)
            result = answer(options.run, tree)
            shutil.rmtree(tree, ignore_errors=True)
            return result

        def verdict(parts):
            status, output = trial(parts)
            if status == 0:
                return "the right answer" if output == right else "A WRONG ANSWER"
            if status is None:
                return "TIME LIMIT"
            return "refused" if status in refusals else f"STATUS {status}"

        status, right = trial(None)
        if status != 0:
            sys.exit(f"the undamaged run ends with {status}")
        every = list(trials(options.tree, files, options.samples, options.every, random.Random(options.seed)))
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            verdicts = list(pool.map(verdict, every))
    counts = collections.Counter(verdicts)
    print(f"{len(files)} files, {len(every)} trials: " + ", ".join(f"{what} {n}" for what, n in sorted(counts.items())))
    bad = [(what, *parts) for what, parts in zip(verdicts, every) if what not in ("the right answer", "refused")]
    for each in bad[:5]:
        print("  FAIL", *each)
    sys.exit(1 if bad or not counts["refused"] else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Types into nano: opens FILE, replaces OLD by NEW everywhere, saves and exits. Status 1 if the file did not change.

  nano.py FILE OLD NEW
"""
import os, pty, select, sys, time

file, old, new = (word.encode() for word in sys.argv[1:])
# Meta-R replaces, A takes every place, Control-O writes to the file whose name is offered, Control-X leaves.
keys = b"\x1br" + old + b"\r" + new + b"\r" + b"a" + b"\x0f\r" + b"\x18"
with open(file, "rb") as was:
    if old not in was.read():
        sys.exit("%s is not in the file" % sys.argv[2])

child, terminal = pty.fork()
if child == 0:
    os.environ.update(TERM="xterm", LC_ALL="C.UTF-8")
    os.execvp("nano", ["nano", "--ignorercfiles", file])
screen, deadline = b"", time.monotonic() + 15
while True:
    if not select.select([terminal], [], [], max(0, deadline - time.monotonic()))[0]:
        sys.exit("nano does not leave; its screen: %r" % screen[-600:])
    try:
        piece = os.read(terminal, 65536)
    except OSError:  # EIO: nano has closed its end.
        break
    screen += piece
    # What is typed before nano has set up the terminal would be read by lines, so: not before its line of keys is there.
    if keys and b"^X" in screen:
        os.write(terminal, keys)
        keys = b""
if os.waitpid(child, 0)[1] or keys:
    sys.exit("nano left early; its screen: %r" % screen[-600:])
with open(file, "rb") as now:
    bytes = now.read()
sys.exit(None if new in bytes and old not in bytes else "nano did not change the file; its screen: %r" % screen[-600:])

#!/usr/bin/env python3
"""A store that does everything wrong: it writes in place, and says "done" whatever happened. The sweep must find that.

  naive.py --library DIR set TEXT | get
"""
import os
import sys

path = os.path.join(sys.argv[2], "item.txt")
if sys.argv[3] == "get":
    print(open(path).read(), end="")
    sys.exit(0)
try:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    for number in range(4):
        os.write(file, sys.argv[4].encode() * 1000)
    os.close(file)
except OSError:
    pass

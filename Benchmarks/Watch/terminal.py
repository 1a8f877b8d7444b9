"""A program on a terminal of its own, and keys that are typed there."""
import os
import pty
import select
import signal
import sys
import time


class Terminal:
    def __init__(self, words, environment):
        self.words = words
        self.pid, self.number = pty.fork()
        if self.pid == 0:
            try:
                os.execvpe(words[0], words, environment)
            finally:
                os._exit(127)
        self._read_until_quiet(0.3, 10)

    def _read_until_quiet(self, quiet, most):
        """A program that has drawn its screen waits for keys."""
        end = time.monotonic() + most
        seen = False
        while time.monotonic() < end:
            ready = select.select([self.number], [], [], quiet if seen else end - time.monotonic())[0]
            if not ready:
                return
            try:
                if not os.read(self.number, 65536):
                    return
            except OSError:
                return
            seen = True

    def type(self, keys):
        os.write(self.number, keys.encode())
        self._read_until_quiet(0.1, 2)

    def press(self, keys):
        """Types without waiting for the program's answer."""
        os.write(self.number, keys.encode())

    def end(self, keys):
        self._read_until_quiet(0.1, 2)
        self.press(keys)
        end = time.monotonic() + 10
        while time.monotonic() < end:
            if select.select([self.number], [], [], 0.05)[0]:
                try:
                    os.read(self.number, 65536)
                except OSError:
                    pass
            if os.waitpid(self.pid, os.WNOHANG)[0]:
                os.close(self.number)
                return
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        sys.exit("%s did not end" % self.words[0])

"""A program that reads articles, asked page by page.

It is started once and reads {"html": PATH, "url": URL, empty if unknown} a line on standard input. For each it prints one JSON
line: {"title": text or null, "author": text, list of texts or null, "date": "YYYY-MM-DD…" or null, "text": the main text with
its paragraphs on lines of their own, or null}. A page on which it ends, fails or takes too long counts as one without anything.
"""
import json
import shlex
import subprocess
import threading
import time

LIMIT_SECONDS = 60


class Extractor:
    def __init__(self, command):
        self.command, self.process, self.errors = shlex.split(command), None, 0

    def ask(self, path, url):
        """The program's answer, and the seconds that it took."""
        began = time.perf_counter()
        try:
            answer = self.answer(path, url)
        except (OSError, ValueError, EOFError):
            answer = None
        if not isinstance(answer, dict) or "error" in answer:
            self.errors += 1
            answer = {}
        return answer, time.perf_counter() - began

    def answer(self, path, url):
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        timer = threading.Timer(LIMIT_SECONDS, self.process.kill)
        timer.start()
        try:
            self.process.stdin.write((json.dumps({"html": path, "url": url}) + "\n").encode())
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        finally:
            timer.cancel()
        if not line:
            self.process.wait()
            raise EOFError(f"{self.command[0]} ended")
        return json.loads(line)

    def close(self):
        if self.process:
            self.process.stdin.close()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

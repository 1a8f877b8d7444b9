#!/usr/bin/env python3
"""The time that sbfs adds to a model's: items suggested for one by one, against Tests/AIServer on loopback, which answers at once.

    Benchmarks/AI/benchmark.py [--sbfs PATH] [--runs N]

Prints, as medians of the runs: the whole process for one item; the time for each further item; and what the server itself
takes for a request, asked by Python without sbfs. The first minus the last is what sbfs adds to one item.
"""
import argparse
import http.client
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
parser = argparse.ArgumentParser()
parser.add_argument("--sbfs", default=os.path.join(root, ".build/release/sbfs"))
parser.add_argument("--runs", type=int, default=11)
options = parser.parse_args()

folder = tempfile.mkdtemp(prefix="sbfs-ai-benchmark-")
server_folder = os.path.join(folder, "server")
os.mkdir(server_folder)
server = subprocess.Popen(
    ["python3", os.path.join(root, "Tests/AIServer/server.py"), server_folder],
    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
try:
    port = int(server.stdout.readline())
    environment = dict(
        os.environ, HOME=folder, XDG_CONFIG_HOME=folder + "/config", XDG_STATE_HOME=folder + "/state",
        XDG_CACHE_HOME=folder + "/cache", SBFS_LIBRARY=folder + "/library", SBFS_OFFLINE="0")

    def sbfs(*words, text=""):
        run = subprocess.run(
            [options.sbfs, *words], env=environment, input=text, capture_output=True, text=True, check=True)
        return run.stdout

    sbfs("init")
    sbfs("ai", "setup", "--provider", "compatible", "--url", f"http://127.0.0.1:{port}/own/v1", "--model", "m", "--no-key")
    article = "A paragraph of an article about cooking, with some words. " * 250
    ids = [sbfs("add", "-", "--title", f"Item {n}", text=f"{n} {article}").strip() for n in range(10)]
    sbfs("reindex")

    def seconds(body):
        start = time.monotonic()
        body()
        return time.monotonic() - start

    def ask(count):
        return seconds(lambda: sbfs(
            "suggest-tags", "--json", "--again", "--at-once", "1", "-", text="\n".join(ids[:count])))

    sbfs("suggest-tags", "--json", ids[0])
    with open(server_folder + "/log") as file:
        body = json.loads(file.read().splitlines()[-1])["body"]

    def bare():
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("POST", "/own/v1/chat/completions", body, {"Content-Type": "application/json"})
        connection.getresponse().read()
        connection.close()

    count = len(ids)
    one, many, plain = [], [], []
    for _ in range(options.runs):
        one.append(ask(1))
        many.append((ask(count) - one[-1]) / (count - 1))
        plain.append(seconds(bare))
    values = [statistics.median(each) * 1000 for each in (one, many, plain)]
    print(f"one item, whole process: {values[0]:.1f} ms")
    print(f"each further item:       {values[1]:.1f} ms")
    print(f"the server alone:        {values[2]:.1f} ms")
    print(f"added to one item:       {values[0] - values[2]:.1f} ms")
finally:
    server.stdin.close()
    server.wait()
    shutil.rmtree(folder, ignore_errors=True)

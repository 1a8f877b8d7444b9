"""Any program that speaks the protocol of `sbfs-bench search`.

  PROGRAM index --corpus FILE --index DIR --threads N
      reads the corpus and writes the index; the last line that it prints is {"docs": N, "index_s": seconds without reading
      and parsing JSON, "cpu_s": processor seconds}
  PROGRAM serve --index DIR
      answers JSON lines on standard input, one line each, until its end:
      {"op": "query", "limit": 10, "all": false, …the members of a query} → {"ids": [the best], "us": microseconds inside};
                                            with "all": true every matching id, in any order
      {"op": "put", "doc": {a document}}  → {"ok": true}
      {"op": "commit"}                    → {"ok": true, "us": …}; durable, and the next query sees it
      {"op": "correct", "word": "…"}      → {"us": …}
"""
import json
import resource
import subprocess
import time


class Program:
    def __init__(self, words):
        self.words = words

    def build(self, corpus, path, threads):
        """What `index` told, with the time and the memory of the whole process."""
        began = time.perf_counter()
        done = subprocess.run(
            [*self.words, "index", "--corpus", corpus, "--index", path, "--threads", str(threads)], check=True,
            stdout=subprocess.PIPE, text=True)
        whole = time.perf_counter() - began
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
        return {"whole_process_s": round(whole, 2), "peak_bytes": peak, **json.loads(done.stdout.strip().splitlines()[-1])}

    def open(self, path):
        self.process = subprocess.Popen(
            [*self.words, "serve", "--index", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, request):
        self.process.stdin.write((json.dumps(request, ensure_ascii=False) + "\n").encode())
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.words[0]} ended with status {self.process.wait()} when it was asked {request}")
        return json.loads(line)

    def search(self, query):
        answer = self.ask({**query, "op": "query", "limit": 10, "all": False})
        self.microseconds = answer["us"]
        return answer["ids"]

    def all_ids(self, query):
        return self.ask({**query, "op": "query", "limit": 10, "all": True})["ids"]

    def correct(self, word):
        self.microseconds = self.ask({"op": "correct", "word": word})["us"]

    def put(self, document):
        self.ask({"op": "put", "doc": document})

    def commit(self):
        self.ask({"op": "commit"})

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

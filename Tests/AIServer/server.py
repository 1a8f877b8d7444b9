#!/usr/bin/env python3
"""A server on loopback that speaks Anthropic's Messages API and OpenAI's Chat Completions, with faults on request.

    server.py FOLDER

Prints its port. Below FOLDER it reads and writes:

  script        one behaviour a line; each request takes the first line, and an empty script means "good"
  answer-NAME   the answer (JSON) to the question NAME, such as suggest_tags; else a usual one
  log           one JSON object for each request: time, path, fields (a key as its SHA-256), body
  connections   one line for each connection: the time

Behaviours: good, whole (never streamed), 401, 403, 404, 429, 429:SECONDS (with Retry-After), 500, 529, cut (a stream that
breaks off), short (fewer bytes than promised), silent (closes without an answer), slow (a byte at a time), badjson,
wrongshape, text (words instead of JSON), fenced (JSON within words), refusal, length, redirect, html, error (an error within
a stream), hang (no answer).
"""
import hashlib
import http.server
import json
import os
import socket
import sys
import threading
import time

folder = sys.argv[1]
lock = threading.Lock()
KEY = "sk-test-good-key-0123456789"
USUAL = {
    "suggest_tags": {"tags": ["soup", "recipes", "slow cooking"]},
    "summarize": {
        "summary": "The squash is roasted first.", "keyPoints": ["Roast the squash.", "Use butter."],
        "entities": ["Ada Lovelace"],
    },
    "merge_tags": {"merges": []},
}


def append(name, line):
    with lock, open(os.path.join(folder, name), "a") as file:
        file.write(line + "\n")


def next_behaviour():
    path = os.path.join(folder, "script")
    with lock:
        try:
            with open(path) as file:
                lines = [line.strip() for line in file if line.strip()]
        except FileNotFoundError:
            return "good"
        if not lines:
            return "good"
        with open(path, "w") as file:
            file.write("".join(line + "\n" for line in lines[1:]))
        return lines[0]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self):
        append("connections", str(time.time()))
        self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().setup()

    def log_message(self, *arguments):
        pass

    def reply(self, status, body, fields=(), kind="application/json"):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in fields:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def fail(self, status, message, fields=()):
        self.reply(status, {"type": "error", "error": {"type": "some_error", "message": message}}, fields)

    def do_GET(self):
        append("log", json.dumps({"time": time.time(), "path": self.path, "method": "GET"}))
        self.fail(404, "nothing here")

    def do_POST(self):
        data = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        key = self.headers.get("x-api-key") or self.headers.get("Authorization", "").removeprefix("Bearer ")
        fields = {name.lower(): value for name, value in self.headers.items()}
        for name in ("x-api-key", "authorization"):
            if name in fields:
                fields[name] = hashlib.sha256(key.encode()).hexdigest()
        append("log", json.dumps(
            {"time": time.time(), "path": self.path, "method": "POST", "fields": fields, "body": data.decode()}))
        body = json.loads(data)
        self.is_anthropic = self.path.endswith("/messages")
        self.is_streamed = body.get("stream") is True
        if self.path.startswith("/keyed/") and key != KEY:
            return self.fail(401, "invalid x-api-key")
        if self.is_anthropic and self.headers.get("anthropic-version") != "2023-06-01":
            return self.fail(400, "anthropic-version is missing")
        if body.get("model") == "unknown":
            return self.fail(404, "model: unknown")
        self.answer(next_behaviour(), self.question(body))

    def question(self, body):
        if "tools" in body:
            tool = body["tools"][0]
            return tool["name"] if self.is_anthropic else tool["function"]["name"]
        if "response_format" in body:
            return body["response_format"]["json_schema"]["name"]
        return None

    def content(self, name):
        if name is None:
            return "OK"
        try:
            with open(os.path.join(folder, "answer-" + name)) as file:
                return file.read()
        except FileNotFoundError:
            return json.dumps(USUAL[name])

    def answer(self, behaviour, name):
        status, _, wait = behaviour.partition(":")
        if status.isdigit():
            return self.fail(int(status), "as the test asked", [("Retry-After", wait)] if wait else [])
        text, end = self.content(name), "stop"
        if behaviour == "badjson":
            return self.reply(200, b"{\"choices\": [")
        if behaviour == "html":
            return self.reply(200, b"<html><body>Gateway</body></html>", kind="text/html")
        if behaviour == "redirect":
            return self.reply(307, {}, [("Location", self.path + "?elsewhere")])
        if behaviour == "silent":
            self.close_connection = True
            return
        if behaviour == "hang":
            time.sleep(600)
            return
        if behaviour == "wrongshape":
            text = json.dumps({"tags": "soup"})
        elif behaviour == "text":
            text = "I would tag this soup."
        elif behaviour == "fenced":
            text = "Here you are:\n```json\n" + text + "\n```"
        elif behaviour in ("refusal", "length"):
            end = behaviour
            text = "I cannot help with that." if end == "refusal" else text[:len(text) // 2]
        if self.is_streamed and behaviour != "whole":
            return self.stream(text, end, name, behaviour)
        whole = json.dumps(self.whole(text, end, name)).encode()
        if behaviour == "short":
            self.send_response(200)
            self.send_header("Content-Length", str(len(whole) + 100))
            self.end_headers()
            self.wfile.write(whole)
            self.close_connection = True
            return
        self.reply(200, whole)

    def calls(self, name):
        # A server of the person's own answers with text.
        return name is not None and not self.path.startswith("/own/")

    def whole(self, text, end, name):
        if self.is_anthropic:
            reason = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"}[end]
            part = {"type": "text", "text": text}
            if self.calls(name) and end == "stop":
                try:
                    part = {"type": "tool_use", "id": "t1", "name": name, "input": json.loads(text)}
                    reason = "tool_use"
                except ValueError:
                    pass
            return {"type": "message", "role": "assistant", "content": [part], "stop_reason": reason}
        message = {"role": "assistant", "content": text}
        if end == "refusal":
            message = {"role": "assistant", "content": None, "refusal": text}
        elif self.calls(name):
            message = {"role": "assistant", "content": None, "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": name, "arguments": text}}]}
        return {"object": "chat.completion", "choices": [
            {"index": 0, "message": message, "finish_reason": "length" if end == "length" else "stop"}]}

    def events(self, text, end, name):
        pieces = [text[i:i + 7] for i in range(0, len(text), 7)]
        if self.is_anthropic:
            calls = self.calls(name) and end != "refusal"
            block = {"type": "tool_use", "id": "t1", "name": name, "input": {}} if calls else {"type": "text", "text": ""}
            yield {"type": "message_start", "message": {"role": "assistant", "content": [], "stop_reason": None}}
            yield {"type": "content_block_start", "index": 0, "content_block": block}
            for piece in pieces:
                delta = {"type": "input_json_delta", "partial_json": piece} if calls else {
                    "type": "text_delta", "text": piece}
                yield {"type": "content_block_delta", "index": 0, "delta": delta}
            yield {"type": "content_block_stop", "index": 0}
            reason = {"stop": "tool_use" if calls else "end_turn", "length": "max_tokens", "refusal": "refusal"}[end]
            yield {"type": "message_delta", "delta": {"stop_reason": reason}}
            yield {"type": "message_stop"}
            return
        for piece in pieces:
            delta = {"content": piece}
            if end == "refusal":
                delta = {"refusal": piece}
            elif self.calls(name):
                delta = {"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}
            yield {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        yield {"choices": [{"index": 0, "delta": {}, "finish_reason": "length" if end == "length" else "stop"}]}

    def stream(self, text, end, name, behaviour):
        lines = []
        for event in self.events(text, end, name):
            kind = "event: %s\n" % event["type"] if self.is_anthropic else ""
            lines.append((kind + "data: " + json.dumps(event) + "\n\n").encode())
        if not self.is_anthropic:
            lines.append(b"data: [DONE]\n\n")
        if behaviour == "error":
            lines[2:] = [b"event: error\ndata: {\"type\":\"error\",\"error\":{\"message\":\"Overloaded\"}}\n\n"]
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        if behaviour in ("cut", "short"):
            lines = lines[:len(lines) // 2]
        for line in lines:
            parts = [bytes([byte]) for byte in line] if behaviour == "slow" else [line]
            for part in parts:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
                if behaviour == "slow":
                    self.wfile.flush()
                    time.sleep(0.0005)
        if behaviour in ("cut", "short"):
            self.close_connection = True
            return
        self.wfile.write(b"0\r\n\r\n")


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_address[1], flush=True)
# Ends with the test that started it.
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
server.serve_forever()

#!/usr/bin/env python3
"""The server of the torture site, on 127.0.0.1 only. `site_server.py` alone prints its three origins and serves them.

Origin A serves the pages. B plays another site's files. C plays a service on the private network, which a capture must never
reach. In text files of the site {{A}} {{B}} {{C}} become the origins ({{AH}} …: without "http:"), and {{CANARY}} the path of a
local file that must never be in a capture. site/headers.json gives some paths other headers; "raw" leaves the bytes alone.

Made by rule: a last part of a path with RRGGBB-WIDTHxHEIGHT in it is a picture, and so is any path under /gen/RRGGBB-WxH/;
each URL gives other bytes. Special paths:

  /redir/N/PATH            N redirects, in turn to the other origin      /loop/…          redirects without end
  /gz/PATH, /deflate/PATH  compressed                                    /bomb/x.css      400 MB in 400 kB
  /slow/S/PATH             S seconds late                                /drip/x.png      a byte a second, /endless/ at full speed
  /status/N/…              an error page in HTML                         /empty/x.png     no bytes
  /ctype/TYPE/PATH         Content-Type, ~ for /, "none" for no header   /to-c/PATH       redirects to C
  /need-cookie/PATH        a login page without sid=letmein              /need-referer/PATH   403 to other sites
  /page-redirect/PATH      301
"""
import argparse
import functools
import gzip
import hashlib
import json
import os
import re
import threading
import time
import urllib.parse
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pictures

HERE = os.path.dirname(os.path.abspath(__file__))
SITE = os.path.join(HERE, "site")
TYPES = {
    ".html": "text/html; charset=utf-8", ".xhtml": "application/xhtml+xml", ".css": "text/css", ".js": "text/javascript",
    ".svg": "image/svg+xml", ".png": "image/png", ".json": "application/json", ".ico": "image/x-icon",
    ".webmanifest": "application/manifest+json", ".vtt": "text/vtt", ".txt": "text/plain",
}
# Files in which the names of origins are replaced.
TEXTS = {".html", ".css", ".js", ".svg", ".json", ".xhtml", ".webmanifest"}
WITH_ARGUMENT = re.compile(r"/(redir|slow|status|ctype)/([^/]+)(/.*)")
WITHOUT_ARGUMENT = re.compile(r"/(gz|deflate|need-cookie|need-referer|page-redirect|loop|to-c)(/.*)")
REDIRECTS = (301, 302, 303, 307, 308)
GENERATED = {"/c/big-page/": functools.lru_cache(pictures.big_page)}
LARGEST_BODY = 1 << 20
ENDLESS_SECONDS = 300


class Site:
    """The folder, the origins, and the log of requests: {"o": origin, "m": method, "p": path}."""

    def __init__(self, folder, canary):
        self.folder, self.canary = os.path.abspath(folder), canary
        self.origins, self.log, self.lock = {}, [], threading.Lock()
        with open(os.path.join(folder, "headers.json"), encoding="utf-8") as file:
            self.headers = json.load(file)

    def filled(self, text):
        for name, origin in self.origins.items():
            text = text.replace("{{%s}}" % name, origin).replace("{{%sH}}" % name, origin[len("http:"):])
        return text.replace("{{CANARY}}", self.canary)

    def forget(self):
        with self.lock:
            self.log.clear()

    def requests(self):
        """The GET requests since `forget`."""
        with self.lock:
            return [entry for entry in self.log if entry["m"] == "GET"]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "torture"

    def log_message(self, *_):
        pass

    def do_GET(self):
        try:
            length = int(self.headers.get("Content-Length") or 0)
            if length:
                self.rfile.read(min(length, LARGEST_BODY))
            site = self.server.site
            with site.lock:
                site.log.append({"o": self.server.label, "m": self.command, "p": self.path})
            self.route(self.path)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    do_HEAD = do_GET
    do_POST = do_GET

    def answer(self, status, body=b"", kind=None, headers=()):
        self.send_response(status)
        if kind:
            self.send_header("Content-Type", kind)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Cache-Control", "no-store" if status != 200 else "max-age=60")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def redirect(self, status, location):
        self.answer(status, headers=[("Location", location)])

    def route(self, url, encoding=None, kind=None):
        """Answers a URL; `encoding` and `kind` come from the special paths around it."""
        path, _, query = url.partition("?")
        query = "?" + query if query else ""
        match = WITH_ARGUMENT.match(path)
        if match:
            return self.route_argument(*match.groups(), query, encoding, kind)
        match = WITHOUT_ARGUMENT.match(path)
        if match:
            return self.route_special(*match.groups(), query, url, encoding, kind)
        if path.startswith(("/endless/", "/drip/")):
            return self.stream(is_fast=path.startswith("/endless/"))
        if path.startswith("/bomb/"):
            return self.bomb()
        if path.startswith("/empty/"):
            return self.answer(200, b"", "image/png")
        return self.file(url, path, encoding, kind)

    def route_argument(self, name, argument, rest, query, encoding, kind):
        if name == "slow":
            time.sleep(float(argument))
            return self.route(rest + query, encoding, kind)
        if name == "status":
            return self.answer(int(argument), b"<!doctype html><title>no</title><h1>Error page as HTML</h1>", "text/html")
        if name == "ctype":
            return self.route(rest + query, encoding, argument.replace("~", "/"))
        count = int(argument)
        target = f"/redir/{count - 1}{rest}" if count > 1 else rest
        other = self.server.site.origins["B" if self.server.label == "A" else "A"]
        return self.redirect(REDIRECTS[count % 5], (other if count % 2 else "") + target + query)

    def route_special(self, name, rest, query, url, encoding, kind):
        origins = self.server.site.origins
        if name in ("gz", "deflate"):
            return self.route(rest + query, name, kind)
        if name == "loop":
            return self.redirect(302, "/loop/" + hashlib.md5(url.encode()).hexdigest())
        if name == "to-c":
            return self.redirect(302, origins["C"] + rest)
        if name == "page-redirect":
            return self.redirect(301, rest + query)
        if name == "need-cookie" and "sid=letmein" not in (self.headers.get("Cookie") or ""):
            if rest.endswith(".png"):
                return self.answer(403, b"no", "text/plain")
            return self.answer(200, b"<!doctype html><title>Log in</title><h1>Please log in</h1>", "text/html")
        if name == "need-referer" and not (self.headers.get("Referer") or "").startswith(origins["A"]):
            return self.answer(403, b"no hotlinks", "text/plain")
        return self.route(rest + query, encoding, kind)

    def stream(self, is_fast):
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        end = time.time() + ENDLESS_SECONDS
        while time.time() < end:
            self.wfile.write(bytes(1 << 16) if is_fast else b"\0")
            self.wfile.flush()
            time.sleep(0.001 if is_fast else 1)

    def bomb(self):
        """A comment of CSS that grows a thousandfold when it is unpacked."""
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        packed = packer.compress(b"/*") + b"".join(packer.compress(b" " * (1 << 20)) for _ in range(400))
        packed += packer.compress(b"*/") + packer.flush()
        self.answer(200, packed, "text/css", [("Content-Encoding", "gzip")])

    def file(self, url, path, encoding, kind):
        site = self.server.site
        headers = dict(site.headers.get(path, {}))
        is_raw = headers.pop("raw", False)
        default = headers.pop("Content-Type", None)
        decoded = urllib.parse.unquote(path)
        name = os.path.normpath(decoded + "index.html" if decoded.endswith("/") else decoded).lstrip("/")
        full = os.path.join(site.folder, name)
        status = 200
        if path in GENERATED:
            body, suffix = GENERATED[path](), ".html"
        elif not name.startswith("..") and os.path.isfile(full):
            with open(full, "rb") as file:
                body, suffix = file.read(), os.path.splitext(full)[1]
            if suffix in TEXTS and not is_raw:
                body = site.filled(body.decode()).encode()
        else:
            suffix = ".svg" if path.endswith(".svg") else ".png"
            body = pictures.picture(url, urllib.parse.unquote(url), suffix == ".svg")
            if body is None:
                return self.answer(404, b"<!doctype html><title>404</title><h1>Not found</h1>", "text/html")
        kind = kind or default or TYPES.get(suffix, "application/octet-stream")
        extra, accepted = list(headers.items()), self.headers.get("Accept-Encoding") or ""
        if encoding == "gz" and "gzip" in accepted:
            body = gzip.compress(body)
            extra.append(("Content-Encoding", "gzip"))
        elif encoding == "deflate" and "deflate" in accepted:
            body = zlib.compress(body)
            extra.append(("Content-Encoding", "deflate"))
        return self.answer(status, body, None if kind == "none" else site.filled(kind), extra)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        """Clients that go away are no fault."""


def start(folder=SITE, canary="/nonexistent"):
    """Serves the site in threads of this process; returns it with its origins."""
    site = Site(folder, canary)
    for label in "ABC":
        server = Server(("127.0.0.1", 0), Handler)
        server.site, server.label = site, label
        site.origins[label] = f"http://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
    return site


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--site", default=SITE)
    print(json.dumps(start(parser.parse_args().site).origins), flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()

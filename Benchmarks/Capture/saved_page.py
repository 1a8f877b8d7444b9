"""Opens pages in Chromium and reports what they show, and what the folder of a saved page contains."""
import base64
import binascii
import email
import hashlib
import io
import os
import re
import time
import urllib.parse

import numpy
from PIL import Image

from browser import BrowserError, Page

Image.MAX_IMAGE_PIXELS = None
# A pixel differs if one of its colours does by more than this, of 255.
COLOUR_TOLERANCE = 24
DATA_URL = re.compile(rb"data:([^,\"'()<>\s]{0,100}),([^\"'()<>\s]+)")
PAGE_FILES = (".html", ".css", ".svg", ".mhtml", ".xhtml")
LARGEST_SEARCHED = 80_000_000
UNSEEN = ("SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT")
SCRIPT_OF_PAGE = re.compile(r"(file|https?|data|blob):")


def look(browser, url, cookies=(), scrolls=True, takes_picture=True, watches_scripts=False, ask=None):
    """Opens a URL in a fresh context: {"png", "requests", "scripts", "error", and what `ask` adds}."""
    page, seen = Page(browser, cookies), {}
    try:
        if watches_scripts:
            page.watch_scripts()
        try:
            page.open(url, quiet=0.4, timeout=15)
        except BrowserError as error:
            seen["error"] = str(error)
        if scrolls:
            try:
                page.scroll_through()
                page.wait_until_quiet(0.4, time.perf_counter() + 6)
            except BrowserError:
                pass
        if takes_picture:
            try:
                seen["png"] = page.picture()
            except BrowserError as error:
                seen["error"] = str(error)
        if ask:
            seen.update(ask(page))
        seen["requests"] = [dict(request) for request in page.requests.values()]
        seen["scripts"] = [script for script in page.scripts if SCRIPT_OF_PAGE.match(script)]
    finally:
        page.close()
    return seen


def visible_text(page):
    """The text of the document with its shadow roots and frames, without scripts and styles."""
    texts = []

    def walk(node):
        if node.get("nodeName") in UNSEEN:
            return
        if node.get("nodeType") == 3:
            texts.append(node.get("nodeValue", ""))
        for key in ("children", "shadowRoots"):
            for child in node.get(key, ()):
                walk(child)
        if node.get("contentDocument"):
            walk(node["contentDocument"])
    walk(page.send("DOM.getDocument", {"depth": -1, "pierce": True}, timeout=60)["root"])
    return squash(" ".join(texts))


def squash(text):
    return re.sub(r"\s+", " ", text)


def difference(first, second):
    """The share of the pixels of two PNG pictures that differ; where one is smaller, all do."""
    images = [Image.open(io.BytesIO(data)).convert("RGB") for data in (first, second)]
    size = max(image.width for image in images), max(image.height for image in images)
    arrays = []
    for image in images:
        canvas = Image.new("RGB", size, (255, 0, 255) if image.size != size else (255, 255, 255))
        canvas.paste(image, (0, 0))
        arrays.append(numpy.asarray(canvas, dtype=numpy.int16))
    return float((numpy.abs(arrays[0] - arrays[1]).max(axis=2) > COLOUR_TOLERANCE).mean())


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def data_url_contents(data):
    """The contents of the data: URLs of a file."""
    for match in DATA_URL.finditer(data):
        try:
            if b"base64" in match.group(1):
                yield base64.b64decode(match.group(2) + b"==")
            else:
                yield urllib.parse.unquote_to_bytes(match.group(2))
        except (binascii.Error, ValueError):
            pass


class Folder:
    """The hashes of all that a saved page holds, as files, data: URLs and parts of MHTML; bytes; names of files."""

    def __init__(self, path):
        self.path, self.hashes, self.bytes, self.names = path, set(), 0, []
        for folder, _, names in os.walk(path):
            for name in names:
                self.add(os.path.join(folder, name))

    def add(self, file):
        data = self.contents(file)
        self.bytes += len(data)
        self.names.append(os.path.relpath(file, self.path))
        self.hashes.add(sha256(data))
        if len(data) < LARGEST_SEARCHED and (file.endswith(PAGE_FILES) or b"data:" in data[:4096]):
            self.hashes.update(map(sha256, data_url_contents(data)))
            if file.endswith(".mhtml"):
                parts = email.message_from_bytes(data).walk()
                self.hashes.update(sha256(part.get_payload(decode=True) or b"") for part in parts if not part.is_multipart())

    def contents(self, name):
        with open(os.path.join(self.path, name), "rb") as file:
            return file.read()

    def names_with(self, data, apart_from=None):
        return [name for name in self.names if name != apart_from and data in self.contents(name)]

#!/usr/bin/env python3
"""Chromium's own MHTML (Page.captureSnapshot): mhtml.py URL OUT"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from browser import Browser, Page  # noqa: E402

SCROLL = """(async () => {
    let y = 0, steps = 0
    while (steps++ < 40 && y < document.documentElement.scrollHeight) {
        scrollTo(0, y)
        y += 700
        await new Promise(done => setTimeout(done, 40))
    }
    scrollTo(0, 0)
})()"""


def cookies():
    """Those of the file of Netscape's form that $CAPTURE_COOKIES names."""
    found = []
    if os.environ.get("CAPTURE_COOKIES"):
        with open(os.environ["CAPTURE_COOKIES"], encoding="utf-8") as file:
            for columns in (line.rstrip("\n").split("\t") for line in file):
                if len(columns) == 7:
                    found.append({"domain": columns[0], "path": columns[2], "name": columns[5], "value": columns[6]})
    return found


def main():
    url, out = sys.argv[1:]
    browser = Browser()
    try:
        page = Page(browser, cookies())
        page.open(url, quiet=0.8)
        page.evaluate(SCROLL)
        page.wait_until_quiet()
        snapshot = page.send("Page.captureSnapshot", {"format": "mhtml"})["data"]
        with open(os.path.join(out, "page.mhtml"), "w", encoding="utf-8", newline="") as file:
            file.write(snapshot)
        with open(os.path.join(out, "entry.txt"), "w", encoding="utf-8") as file:
            file.write("page.mhtml")
    finally:
        browser.close()


main()

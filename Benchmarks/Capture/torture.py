#!/usr/bin/env python3
"""Judges how well a program saves the pages of the torture site (site/, served on loopback).

  torture.py --command 'PROGRAM {url} {out}' --label NAME [--only NAME,NAME] [--mode static|browser|all] [--keep] [--demand]

The command saves {url} into the empty folder {out}: page.html, reader.html if it makes one, assets/. If the page has another
name, {out}/entry.txt says it. Its environment: CAPTURE_ALLOW lists host:port that may be reached although they are private
(origins A and B); CAPTURE_COOKIES is a file of Netscape's form, in cases that need a session. Other private addresses must not
be reached.

A case is an object of cases.json: name, page, mode (what a program needs: "static" nothing, "browser" one), what, require and
content (assets as "A:/path"), text, dom ([selector, least, most]), visual and tol, limit (seconds), cookies, private, may_fail
(a page is not required), max_mb, forbid, nofile, mode_check.

Each case has some of these checks; its score is the share that passes, and it passes if all do:

  made      there is a page, and the command ended in time
  offline   opened from the file with the network blocked, it asks for nothing but file:, data:, about:, blob:
  local     no request for a file fails or leaves the folder
  assets    the bytes of every asset that the case requires are in the folder
  once      no URL was fetched twice
  visual    the share of pixels that differ from the live page is at most the case's tolerance
  text, dom the required text and elements are in the saved page
  private   origin C was not reached, and a local file was not copied
  noscript  no script of the page runs
  size, forbid, nofile, quirks   where the case asks for them: at most so many MB, a URL that must not be fetched, an error
            page that must not be kept as a file, the mode of the document
  reader    reader.html has no active elements and asks for nothing

With --demand the exit status is 1 unless all cases pass. Needs Chromium, Pillow and numpy.
"""
import argparse
import contextlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

import site_server
from browser import OFFLINE, Browser, BrowserError
from saved_page import Folder, difference, look, sha256, squash, visible_text

# What a URL of a required asset keeps as it is.
KEPT = "/?=&%:;,*|()~+$!@#'"
HARMLESS = re.compile(r"(file|data|about|blob|cid):")
ACTIVE_ELEMENTS = r"""[...document.querySelectorAll('*')].filter(e =>
    /^(script|iframe|object|embed|base|link|form)$/i.test(e.localName)
        && !(e.localName == 'link' && /^(stylesheet|icon)$/i.test(e.rel))
    || [...e.attributes].some(a => /^on/i.test(a.name)
        || /^\s*j\s*a\s*v\s*a\s*s\s*c\s*r\s*i\s*p\s*t\s*:/i.test(a.value))).length"""


def file_url(path):
    return "file://" + urllib.parse.quote(os.path.realpath(path))


def same_spelling(url):
    return urllib.parse.quote(urllib.parse.unquote(url))


class Command:
    """One run of the program under test."""

    def __init__(self, options, case, site, folder):
        self.out = os.path.join(folder, "out")
        os.makedirs(self.out)
        url = site.origins["A"] + case["page"]
        allowed = ",".join(site.origins[name].split("//")[1] for name in "AB")
        environment = {**os.environ, "CAPTURE_ALLOW": allowed}
        environment.pop("CAPTURE_COOKIES", None)
        if case.get("cookies"):
            environment["CAPTURE_COOKIES"] = self.write_cookies(case, folder)
        words = [word.replace("{url}", url).replace("{out}", self.out) for word in shlex.split(options.command)]
        began = time.perf_counter()
        with open(os.path.join(folder, "said.txt"), "wb") as said:
            process = subprocess.Popen(
                words, env=environment, stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True)
            try:
                process.wait(case["limit"])
                self.has_ended = True
            except subprocess.TimeoutExpired:
                self.has_ended = False
            # Does not wait for processes that the program left in the background.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.seconds = time.perf_counter() - began
        self.entry = "page.html"
        with contextlib.suppress(FileNotFoundError), open(os.path.join(self.out, "entry.txt"), encoding="utf-8") as file:
            self.entry = file.read().strip()
        self.page = os.path.join(self.out, self.entry)
        self.has_page = os.path.isfile(self.page)

    @staticmethod
    def write_cookies(case, folder):
        path = os.path.join(folder, "cookies.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write("# Netscape HTTP Cookie File\n")
            for name, value in case["cookies"]:
                file.write(f"127.0.0.1\tFALSE\t/\tFALSE\t0\t{name}\t{value}\n")
        return path


class Trial:
    """One case: runs the command and makes the checks."""

    def __init__(self, options, case, site, live, offline, folder, secret):
        self.options, self.case, self.site, self.secret = options, case, site, secret
        self.live_browser, self.offline_browser, self.folder = live, offline, folder
        self.checks, self.reasons, self.difference = {}, [], None

    def check(self, name, passes, reason=""):
        self.checks[name] = bool(passes) and self.checks.get(name, True)
        if not passes:
            self.reasons.append(f"{name}: {reason}" if reason else name)

    def run(self):
        case, origins = self.case, self.site.origins
        cookies = [{"name": name, "value": value, "domain": "127.0.0.1", "path": "/"} for name, value in case.get("cookies", [])]
        live = look(self.live_browser, origins["A"] + case["page"], cookies) if case["visual"] else {}
        required = [(name, self.fetched(name)) for name in case["require"] + case.get("content", [])]
        self.site.forget()
        self.command = Command(self.options, case, self.site, self.folder)
        self.requests = self.site.requests()
        self.count_requests()
        why = "no " + self.command.entry if self.command.has_ended else f"no end within {case['limit']} s"
        may_fail = case.get("may_fail", False)
        self.check("made", self.command.has_ended and (self.command.has_page or may_fail), why)
        if case.get("private"):
            self.check_private()
        if may_fail:
            return self.row()
        if self.command.has_page:
            self.check_page(live, required)
        else:
            # Nothing was saved: every later check counts as failed.
            asked = {"assets": required, "visual": case["visual"], "text": case["text"]}
            for name in ["offline", "local", "once", "noscript"] + [name for name, is_asked in asked.items() if is_asked]:
                self.checks[name] = False
        return self.row()

    def fetched(self, name):
        """The hash of an asset such as "A:/path", as the site gives it."""
        url = self.site.origins[name[0]] + urllib.parse.quote(name[2:], safe=KEPT)
        request = urllib.request.Request(url, headers={"Cookie": "sid=letmein", "Referer": self.site.origins["A"] + "/"})
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return sha256(answer.read())
        except (urllib.error.URLError, OSError) as error:
            raise SystemExit(f"the site does not give {url}: {error}") from None

    def count_requests(self):
        counts = {}
        for request in self.requests:
            key = request["o"] + ":" + request["p"].split("#")[0]
            counts[key] = counts.get(key, 0) + 1
        self.counts = counts
        self.repeated = [key for key, count in counts.items() if count > 1 and not key.endswith("/favicon.ico")]

    def check_page(self, live, required):
        case, command = self.case, self.command
        saved = self.look_at_saved()
        held = Folder(command.out)
        self.check_requests(saved.get("requests", []))
        if required:
            gone = [name for name, digest in required if digest not in held.hashes]
            self.check("assets", not gone, f"{len(gone)}/{len(required)} missing, e.g. {gone[0][:70] if gone else ''}")
        self.check("once", not self.repeated, f"{len(self.repeated)} URLs again, e.g. {''.join(self.repeated[:1])[:60]}")
        if case["visual"] and live.get("png") and saved.get("png"):
            self.difference = difference(live["png"], saved["png"])
            self.check("visual", self.difference <= case["tol"], f"{self.difference:.4f} > {case['tol']:g}")
            if self.options.keep:
                self.keep_pictures(live, saved)
        for text in case["text"]:
            self.check("text", squash(text) in saved.get("text", ""), repr(text)[:60])
        for (selector, least, most), count in zip(case["dom"], saved.get("dom", [])):
            self.check("dom", least <= count <= most, f"{selector[:70]} is there {count} times")
        scripts = saved.get("scripts", [])
        self.check("noscript", not saved.get("ran") and not scripts, f"{len(scripts)} scripts ran, flag {saved.get('ran')}")
        if case.get("mode_check"):
            self.check("quirks", saved.get("mode") == case["mode_check"], str(saved.get("mode")))
        self.check_files(held)
        if os.path.isfile(os.path.join(command.out, "reader.html")):
            self.check_reader()

    def look_at_saved(self):
        case = self.case

        def ask(page):
            return {
                "text": visible_text(page) if case["text"] else "",
                "dom": [page.evaluate(f"document.querySelectorAll({json.dumps(selector)}).length")
                        for selector, _, _ in case["dom"]],
                "ran": page.evaluate("window.__ran || 0"), "mode": page.evaluate("document.compatMode"),
            }
        try:
            return look(self.offline_browser, file_url(self.command.page), takes_picture=case["visual"],
                        watches_scripts=True, ask=ask)
        except BrowserError as error:
            self.check("made", False, f"cannot be opened: {error}")
            return {}

    def check_requests(self, requests):
        is_mhtml = self.command.entry.endswith(".mhtml")
        # Parts of MHTML are listed under their old URLs and come from the file: with the network off only a real request fails.
        outside = sorted({request["url"] for request in requests if not HARMLESS.match(request["url"])
                          and not (is_mhtml and request.get("state") == "done")})
        self.check("offline", not outside, f"{len(outside)} external, e.g. {''.join(outside[:1])[:90]}")
        root = same_spelling(file_url(self.command.out) + "/")
        lost = [request["url"] for request in requests if request["url"].startswith("file:")
                and request.get("error") != "net::ERR_ABORTED"
                and (request.get("state") == "failed" or not same_spelling(request["url"]).startswith(root))]
        self.check("local", not lost, f"{len(lost)} local not found, e.g. {''.join(lost[:1])[-80:]}")

    def check_private(self):
        reached = [request["p"] for request in self.requests if request["o"] == "C"]
        self.check("private", not reached, f"private service reached: {', '.join(reached[:2])}")
        copies = Folder(self.command.out).names_with(self.secret.encode())
        self.check("private", not copies, f"local file copied into {copies[:2]}")

    def check_files(self, held):
        case = self.case
        if case.get("max_mb"):
            self.check("size", held.bytes <= case["max_mb"] * 1e6, f"{held.bytes / 1e6:.0f} MB")
        for part in case.get("forbid", []):
            self.check("forbid", not any(part in key for key in self.counts), part[-60:])
        for text in case.get("nofile", []):
            files = held.names_with(text.encode(), apart_from=self.command.entry)
            self.check("nofile", not files, f"error page saved as {files[:1]}")

    def check_reader(self):
        def ask(page):
            return {"active": page.evaluate(ACTIVE_ELEMENTS), "ran": page.evaluate("window.__ran || 0")}
        reader = look(self.offline_browser, file_url(os.path.join(self.command.out, "reader.html")), scrolls=False,
                      takes_picture=False, ask=ask)
        outside = [request["url"] for request in reader["requests"] if not re.match(r"(file|data|about):", request["url"])]
        self.check("reader", not outside and not reader["active"] and not reader["ran"],
                   f"external {len(outside)}, active elements {reader['active']}")

    def keep_pictures(self, live, saved):
        for name, seen in (("live", live), ("saved", saved)):
            with open(os.path.join(self.folder, name + ".png"), "wb") as file:
                file.write(seen["png"])

    def row(self):
        return {
            "name": self.case["name"], "mode": self.case["mode"], "pass": all(self.checks.values()),
            "score": sum(self.checks.values()) / len(self.checks), "seconds": self.command.seconds,
            "requests": len(self.requests), "repeated": len(self.repeated), "difference": self.difference,
            "checks": self.checks, "reasons": self.reasons,
        }


def chosen(options):
    with open(os.path.join(options.site, "cases.json"), encoding="utf-8") as file:
        cases = json.load(file)
    if options.only:
        names = options.only.split(",")
        unknown = set(names) - {case["name"] for case in cases}
        if unknown:
            sys.exit(f"unknown cases: {', '.join(sorted(unknown))}")
        cases = [case for case in cases if case["name"] in names]
    return [case for case in cases if options.mode in ("all", case["mode"])]


def print_row(row):
    shown = "-" if row["difference"] is None else f"{row['difference']:.4f}"
    mark = "PASS" if row["pass"] else f"{row['score']:4.2f}"
    print(f"{row['name']:20} {row['mode']:7} {mark} {row['seconds']:5.2f}s req={row['requests']:<3} dup={row['repeated']:<2} "
          f"diff={shown}  {'; '.join(row['reasons'])[:230]}", flush=True)


def print_summary(label, rows):
    print(f"\n# {label}")
    for mode in ("static", "browser", "all"):
        part = [row for row in rows if mode in (row["mode"], "all")]
        if part:
            passed, seconds = sum(row["pass"] for row in part), sorted(row["seconds"] for row in part)
            print(f"{mode:8} cases {len(part)}  passed {passed} ({100 * passed / len(part):.0f}%)  "
                  f"mean score {sum(row['score'] for row in part) / len(part):.3f}  seconds total {sum(seconds):.1f} "
                  f"median {seconds[len(seconds) // 2]:.2f}  requests {sum(row['requests'] for row in part)}  "
                  f"fetched twice {sum(row['repeated'] for row in part)}")
    by_check = {}
    for row in rows:
        for name, passes in row["checks"].items():
            by_check.setdefault(name, []).append(passes)
    print("by check: " + "  ".join(f"{name} {sum(found)}/{len(found)}" for name, found in by_check.items()))


def run(options):
    """The rows of all chosen cases."""
    work = os.path.join(os.path.abspath(options.work), options.label)
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    secret, rows = "CANARY-" + os.urandom(12).hex(), []
    with tempfile.NamedTemporaryFile("w", prefix="canary-", suffix=".txt") as canary:
        canary.write(secret)
        canary.flush()
        site = site_server.start(options.site, canary.name)
        live, offline = Browser(), Browser(OFFLINE)
        try:
            for case in chosen(options):
                folder = os.path.join(work, case["name"])
                os.makedirs(folder)
                rows.append(Trial(options, case, site, live, offline, folder, secret).run())
                print_row(rows[-1])
                if not options.keep:
                    shutil.rmtree(folder)
        finally:
            live.close()
            offline.close()
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True)
    parser.add_argument("--label", default="subject")
    parser.add_argument("--site", default=site_server.SITE, help="another folder with cases.json and headers.json")
    parser.add_argument("--only", help="names of cases, with commas")
    parser.add_argument("--mode", default="all", choices=["all", "static", "browser"])
    parser.add_argument("--work", required=True)
    parser.add_argument("--keep", action="store_true", help="keeps saved pages and pictures in --work")
    parser.add_argument("--demand", action="store_true", help="fails unless all cases pass")
    options = parser.parse_args()
    options.site = os.path.abspath(options.site)
    rows = run(options)
    if not rows:
        sys.exit("no case was chosen")
    print_summary(options.label, rows)
    if options.demand and not all(row["pass"] for row in rows):
        sys.exit(1)


if __name__ == "__main__":
    main()

"""Chromium over --remote-debugging-pipe: JSON messages that end with a NUL, on descriptors 3 (to it) and 4 (from it)."""
import base64
import fcntl
import json
import os
import queue
import shutil
import signal
import subprocess
import tempfile
import threading
import time

WIDTH, HEIGHT = 1280, 900
# The largest picture of a page, in pixels.
MOST_WIDTH, MOST_HEIGHT = 4000, 8000
# Descriptors that are kept clear of 3 and 4.
FREE_DESCRIPTOR = 20
SWITCHES = [
    "--headless=new", "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check", "--disable-gpu",
    "--hide-scrollbars", "--mute-audio", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-default-apps", "--disable-extensions", "--metrics-recording-only", "--password-store=basic",
    "--use-mock-keychain", "--disable-features=Translate,OptimizationHints,MediaRouter", "--force-device-scale-factor=1",
    f"--window-size={WIDTH},{HEIGHT}",
]
# The browser reaches files only.
OFFLINE = ["--proxy-server=http://127.0.0.1:9", "--proxy-bypass-list=<-loopback>", "--host-resolver-rules=MAP * ~NOTFOUND"]
NAMES = ("chromium", "chromium-browser", "google-chrome")


class BrowserError(Exception):
    """The browser refused a command, or did not answer in time."""


def program():
    for name in (os.environ.get("CHROMIUM"), *NAMES):
        path = name and (shutil.which(name) or (name if os.path.isfile(name) else None))
        if path:
            return path
    raise SystemExit("Chromium is not installed; run: apt-get install chromium (or set $CHROMIUM)")


class Browser:
    def __init__(self, switches=()):
        self.profile = tempfile.mkdtemp(prefix="capture-browser-")
        to_read, self.to_write = os.pipe()
        self.from_read, from_write = os.pipe()
        inner = [fcntl.fcntl(each, fcntl.F_DUPFD, FREE_DESCRIPTOR) for each in (to_read, from_write)]
        os.close(to_read)
        os.close(from_write)

        def in_child():
            os.dup2(inner[0], 3, inheritable=True)
            os.dup2(inner[1], 4, inheritable=True)
            os.setpgid(0, 0)
        command = [program(), *SWITCHES, "--user-data-dir=" + self.profile, *switches]
        if os.geteuid() == 0:
            command.append("--no-sandbox")
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=in_child,
            pass_fds=(3, 4, *inner))
        for each in inner:
            os.close(each)
        self.number, self.lock, self.waiting, self.listeners = 0, threading.Lock(), {}, []
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        """Passes each answer to its caller, and each event to all listeners."""
        pending = bytearray()
        while True:
            try:
                data = os.read(self.from_read, 1 << 18)
            except OSError:
                data = b""
            if not data:
                break
            pending += data
            *messages, rest = pending.split(b"\0")
            pending = bytearray(rest)
            for message in map(json.loads, messages):
                if "id" not in message:
                    for listener in list(self.listeners):
                        listener(message)
                elif message["id"] in self.waiting:
                    self.waiting.pop(message["id"]).put(message)
        for each in list(self.waiting.values()):
            each.put({"error": {"message": "the browser is gone"}})

    def send(self, method, parameters=None, session=None, timeout=30):
        answer = queue.Queue()
        with self.lock:
            self.number += 1
            message = {"id": self.number, "method": method, "params": parameters or {}}
            if session:
                message["sessionId"] = session
            self.waiting[self.number] = answer
            data = json.dumps(message).encode() + b"\0"
            while data:
                data = data[os.write(self.to_write, data):]
        try:
            answered = answer.get(timeout=timeout)
        except queue.Empty:
            raise BrowserError(f"{method}: no answer within {timeout} s") from None
        if "error" in answered:
            raise BrowserError(f"{method}: {answered['error'].get('message', '?')}")
        return answered["result"]

    def close(self):
        try:
            self.send("Browser.close", timeout=5)
        except (BrowserError, OSError):
            pass
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.to_write)
        shutil.rmtree(self.profile, ignore_errors=True)


class Page:
    """One page in a context of its own, which keeps nothing, with the requests that it makes by their id."""

    def __init__(self, browser, cookies=()):
        self.browser = browser
        self.context = browser.send("Target.createBrowserContext", {"disposeOnDetach": True})["browserContextId"]
        if cookies:
            browser.send("Storage.setCookies", {"cookies": list(cookies), "browserContextId": self.context})
        target = browser.send("Target.createTarget", {
            "url": "about:blank", "browserContextId": self.context, "width": WIDTH, "height": HEIGHT})["targetId"]
        self.session = browser.send("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        self.requests, self.scripts, self.active = {}, [], set()
        self.loaded, self.last = threading.Event(), time.perf_counter()
        browser.listeners.append(self.hear)
        for domain in ("Page", "Network", "Runtime"):
            self.send(domain + ".enable")
        self.send("Emulation.setDeviceMetricsOverride", {
            "width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False})

    def send(self, method, parameters=None, timeout=30):
        return self.browser.send(method, parameters, self.session, timeout)

    def hear(self, message):
        if message.get("sessionId") != self.session:
            return
        name, event = message["method"], message["params"]
        if name == "Network.requestWillBeSent":
            request = self.requests.setdefault(event["requestId"], {"state": "sent"})
            request["url"] = event["request"]["url"]
            if not request["url"].startswith("data:"):
                self.active.add(event["requestId"])
        elif name == "Network.responseReceived":
            self.requests.setdefault(event["requestId"], {"url": event["response"]["url"]})["state"] = "response"
        elif name in ("Network.loadingFinished", "Network.loadingFailed"):
            request = self.requests.get(event["requestId"])
            if request is not None:
                request["state"] = "done" if name.endswith("Finished") else "failed"
                request["error"] = event.get("errorText")
            self.active.discard(event["requestId"])
        elif name == "Page.loadEventFired":
            self.loaded.set()
        elif name == "Debugger.scriptParsed":
            self.scripts.append(event["url"])
        elif name == "Page.javascriptDialogOpening":
            dismiss = lambda: self.send("Page.handleJavaScriptDialog", {"accept": False})
            threading.Thread(target=dismiss, daemon=True).start()
        if name.startswith("Network.") or name == "Page.loadEventFired":
            self.last = time.perf_counter()

    def watch_scripts(self):
        """From now on `scripts` holds the URL of each script that is compiled, hence run."""
        self.send("Debugger.enable")

    def open(self, url, quiet=0.5, timeout=20):
        """Until the page is loaded and no request was made for `quiet` seconds."""
        self.loaded.clear()
        answer = self.send("Page.navigate", {"url": url}, timeout)
        if answer.get("errorText"):
            raise BrowserError(f"{url}: {answer['errorText']}")
        end = time.perf_counter() + timeout
        self.loaded.wait(max(0, end - time.perf_counter()))
        self.wait_until_quiet(quiet, end)

    def wait_until_quiet(self, quiet=0.5, end=None):
        end = end or time.perf_counter() + 10
        while time.perf_counter() < end:
            if not self.active and time.perf_counter() - self.last >= quiet:
                return
            time.sleep(0.02)

    def evaluate(self, expression, timeout=60):
        result = self.send(
            "Runtime.evaluate", {"expression": expression, "returnByValue": True, "awaitPromise": True}, timeout)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise BrowserError(str(details.get("exception", {}).get("description") or details["text"])[:500])
        return result["result"].get("value")

    def scroll_through(self):
        """From here, not by a script of the page, so that it works where scripts are off."""
        at = steps = 0
        height = self.evaluate("document.documentElement.scrollHeight") or 0
        while at < height and steps < 40:
            self.evaluate(f"scrollTo(0, {at})")
            time.sleep(0.04)
            at, steps = at + 700, steps + 1
            height = self.evaluate("document.documentElement.scrollHeight") or 0
        self.evaluate("scrollTo(0, 0)")
        time.sleep(0.15)

    def picture(self):
        """The whole page as PNG."""
        size = self.send("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": max(1, min(size["width"], MOST_WIDTH)),
                "height": max(1, min(size["height"], MOST_HEIGHT)), "scale": 1}
        parameters = {"format": "png", "captureBeyondViewport": True, "clip": clip}
        return base64.b64decode(self.send("Page.captureScreenshot", parameters, 60)["data"])

    def close(self):
        self.browser.listeners.remove(self.hear)
        try:
            self.browser.send("Target.disposeBrowserContext", {"browserContextId": self.context}, timeout=10)
        except BrowserError:
            pass

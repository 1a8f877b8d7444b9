"""Syncthing, the program: a process for each copy, which meet on loopback when the script says so."""
import json
import os
import re
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

from world import Failure

FOLDER, KEY = "library", "replicas"

CONFIGURATION = """<configuration version="36">
  <folder id="{folder}" path="{path}" type="sendreceive" rescanIntervalS="0" fsWatcherEnabled="false" markerName=".stfolder">
    {devices}
    <maxConflicts>-1</maxConflicts>
  </folder>
  {peers}
  <gui enabled="true" tls="false"><address>127.0.0.1:{web}</address><apikey>{key}</apikey></gui>
  <options>
    <listenAddress>tcp://127.0.0.1:{port}</listenAddress>
    <globalAnnounceEnabled>false</globalAnnounceEnabled>
    <localAnnounceEnabled>false</localAnnounceEnabled>
    <relaysEnabled>false</relaysEnabled>
    <natEnabled>false</natEnabled>
    <stunServer></stunServer>
    <startBrowser>false</startBrowser>
    <urAccepted>-1</urAccepted>
    <crashReportingEnabled>false</crashReportingEnabled>
    <autoUpgradeIntervalH>0</autoUpgradeIntervalH>
    <reconnectionIntervalS>1</reconnectionIntervalS>
  </options>
</configuration>
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Device:
    """Syncthing for one copy; it carries the copy, or another folder."""

    def __init__(self, copy, folder=None):
        self.copy, self.folder = copy, folder or copy.path
        self.home = os.path.join(copy.environment["HOME"], "syncthing")
        made = subprocess.run(
            ["syncthing", "generate", "--config=" + self.home, "--no-default-folder", "--skip-port-probing"],
            env=copy.environment, capture_output=True, text=True)
        found = re.search(r"\b([A-Z2-7]{7}(-[A-Z2-7]{7}){7})\b", made.stdout + made.stderr)
        if made.returncode or not found:
            raise Failure("syncthing generate: " + made.stderr[-300:])
        self.id, self.port, self.web, self.process = found.group(1), free_port(), free_port(), None

    def start(self, devices):
        peers = "\n  ".join(
            '<device id="%s" name="%s"><address>tcp://127.0.0.1:%d</address><paused>%s</paused></device>' % (
                peer.id, peer.copy.name, peer.port, "false" if peer is self else "true") for peer in devices)
        with open(self.home + "/config.xml", "w") as file:
            file.write(CONFIGURATION.format(
                folder=FOLDER, path=self.folder, web=self.web, port=self.port, key=KEY, peers=peers,
                devices="".join('<device id="%s"/>' % peer.id for peer in devices)))
        os.makedirs(self.folder + "/.stfolder", exist_ok=True)
        with open(self.folder + "/.stignore", "w") as file:
            file.write("/.sbfs\n")
        self.log = open(self.home + "/log", "wb")
        self.process = subprocess.Popen(
            ["syncthing", "serve", "--home=" + self.home, "--no-browser", "--no-restart"],
            env=dict(self.copy.environment, STNOUPGRADE="1"), stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
            preexec_fn=lambda: os.nice(5))
        self.wait("its web interface", lambda: self.ask("GET", "system/ping") is not None)

    def stop(self):
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait()
            self.log.close()

    def files(self):
        """What is carried: names, and the contents of what is no library."""
        if self.folder == self.copy.path:
            return self.copy.files()
        found = {}
        for folder, _, files in os.walk(self.folder):
            for name in files:
                if not name.startswith("."):
                    with open(os.path.join(folder, name), "rb") as file:
                        found[os.path.relpath(os.path.join(folder, name), self.folder)] = file.read()
        return found

    def ask(self, method, path):
        request = urllib.request.Request(
            "http://127.0.0.1:%d/rest/%s" % (self.web, path), method=method, headers={"X-API-Key": KEY},
            data=b"" if method == "POST" else None)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.loads(answer.read() or b"{}")
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return None

    def wait(self, what, is_so):
        deadline = time.monotonic() + 300
        while not is_so():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise Failure("syncthing of %s: no %s" % (self.copy.name, what))
            time.sleep(0.05)


class Syncthing:
    def __init__(self, world, folders=None):
        self.devices = {copy.name: Device(copy, (folders or {}).get(copy.name)) for copy in world.copies}
        try:
            for device in self.devices.values():
                device.start(list(self.devices.values()))
        except BaseException:
            self.end()
            raise

    def sync(self, a, b):
        here, there = self.devices[a.name], self.devices[b.name]
        for device in (here, there):
            device.ask("POST", "db/scan?folder=" + FOLDER)
        for device, other in ((here, there), (there, here)):
            device.ask("POST", "system/resume?device=" + other.id)
        here.wait("meeting with " + b.name, lambda: self.is_done(here, there))
        for device, other in ((here, there), (there, here)):
            device.ask("POST", "system/pause?device=" + other.id)

    @staticmethod
    def is_done(a, b):
        """Whether both have the same files. What came from elsewhere is scanned in, such as conflict copies."""
        for device, other in ((a, b), (b, a)):
            peers = (device.ask("GET", "system/connections") or {}).get("connections", {})
            if not peers.get(other.id, {}).get("connected"):
                return False
            status = device.ask("GET", "db/status?folder=" + FOLDER) or {}
            if status.get("state") != "idle" or status.get("needTotalItems", 1):
                return False
            if status.get("errors"):
                raise Failure("syncthing of %s: %s" % (device.copy.name, device.ask("GET", "folder/errors?folder=" + FOLDER)))
        if a.files() == b.files():
            return True
        for device in (a, b):
            device.ask("POST", "db/scan?folder=" + FOLDER)
        return False

    def end(self):
        for device in self.devices.values():
            device.stop()

"""Reads an exchange, made from Documentation/Exchange.md alone. Section numbers are those of that document.

    exchange.py FOLDER TARGET    writes what the exchange holds into TARGET, as a library
"""

import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import uuid

HASH = re.compile("[0-9a-f]{64}")


class Refused(Exception):
    """The exchange, a head or an object cannot be used."""


def read(*parts):
    with open(os.path.join(*parts), "rb") as file:
        return file.read()


def checked(data, library):
    """§ 1: what exchange.json, a head and pack.json have in common."""
    found = json.loads(data)
    if found["format"] != 1:
        raise Refused("format %s" % found["format"])
    if library not in (None, found["library"]):
        raise Refused("of another library")
    return found


class Exchange:
    def __init__(self, folder):
        self.folder = folder
        self.library = checked(read(folder, "exchange.json"), None)["library"]
        self.heads = {}
        for name in sorted(os.listdir(os.path.join(folder, "heads"))):
            device = name[:-len(".json")]
            if name.startswith(".") or not name.endswith(".json") or str(uuid.UUID(device)) != device:
                continue
            head = checked(read(folder, "heads", name), self.library)
            if head["device"] != device:
                raise Refused("%s says that it is of %s" % (name, head["device"]))
            self.heads[device] = head

    def raw(self, name):
        """§ 1: an object that is a file as it is."""
        data = read(self.folder, "objects", name[:2], name)
        if hashlib.sha256(data).hexdigest() != name:
            raise Refused("%s has another hash" % name)
        return data

    def tar(self, name):
        """§ 1, § 5: the files of a pack or a bundle, in order."""
        path = os.path.join(self.folder, "objects", name[:2], name + ".tar.zst")
        data = subprocess.run(["zstd", "-dcq", path], check=True, capture_output=True).stdout
        if hashlib.sha256(data).hexdigest() != name:
            raise Refused("%s has another hash" % name)
        files = {}
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as tar:
            for entry in tar:
                marks = (entry.isreg(), entry.mode, entry.uid, entry.gid, entry.uname, entry.gname, entry.mtime)
                if marks != (True, 0o644, 0, 0, "", "", 0):
                    raise Refused("%s in %s has %r" % (entry.name, name, marks))
                files[entry.name] = tar.extractfile(entry).read()
        if len(data) % 512 or data[-1024:] != bytes(1024):
            raise Refused("%s has no end of two blocks" % name)
        return files

    def written(self, head):
        """§ 2: the packs of a device, those of its lists first."""
        listed = [name for each in head.get("lists", []) for name in self.raw(each).decode("ascii").split("\n")[:-1]]
        if not all(HASH.fullmatch(name) for name in listed):
            raise Refused("a list of packs with other names")
        return listed + head["packs"]

    def packs(self):
        """§ 7: all packs, each behind those of its `after`."""
        waiting = [name for head in self.heads.values() for name in self.written(head)]
        taken, ordered = set(), []
        while waiting:
            rest = []
            for name in waiting:
                if name in taken:
                    continue
                files = self.tar(name)
                if next(iter(files)) != "pack.json":
                    raise Refused("%s does not begin with pack.json" % name)
                header = checked(files["pack.json"], self.library)
                if set(header["after"]) <= taken:
                    taken.add(name)
                    ordered.append((header, files))
                else:
                    rest.append(name)
            if len(rest) == len(waiting):
                raise Refused("packs wait for others that are not there")
            waiting = rest
        return ordered

    def files(self):
        """The files of the library by path, with their times; of two states of an item the one in the later pack."""
        found, times, states = {}, {}, {}
        for header, files in self.packs():
            for beside in header.get("besides", []):
                found[beside["path"]] = files[beside["path"]]
                times[beside["path"]] = int(beside["modified"])
            for path, data in files.items():
                parts = path.split("/")
                if parts[0] == "states":
                    states[parts[2][:-len(".json")]] = json.loads(data)
                elif parts[0] == "items":
                    found[path] = data
        for identifier, state in states.items():
            self.add_item(identifier, state, found, times)
        return found, times

    def add_item(self, identifier, state, found, times):
        folder = "items/%s/%s/" % (identifier[-2:], identifier)
        wanted = {"item.json"} | {"history/" + name for name in state.get("history", [])}
        wanted |= {"conflicts/" + name for name in state.get("conflicts", [])}
        for key, name in (("item", "item.json"), ("text", "text.md")):
            if key in state:
                wanted.add(name)
                if hashlib.sha256(found[folder + name]).hexdigest() != state[key]["sha256"]:
                    raise Refused("%s of %s is not that of its state" % (name, identifier))
                times[folder + name] = int(state[key]["modified"])
        for path in [path for path in found if path.startswith(folder)]:
            if path[len(folder):] not in wanted:
                del found[path]
        bundles = {bundle["folder"]: bundle["sha256"] for bundle in state.get("bundles", [])}
        left = {entry["path"] for entry in state.get("leftOut", [])}
        for file in state.get("files", []):
            place = bundle_of(file["path"])
            if (place if place is not None else file["path"]) in left:
                continue
            if place is None:
                data = self.raw(file["sha256"])
            else:
                data = self.tar(bundles[place])[file["path"][len(place) + 1 if place else 0:]]
            if (hashlib.sha256(data).hexdigest(), len(data)) != (file["sha256"], file["size"]):
                raise Refused("%s of %s is not that of its state" % (file["path"], identifier))
            found[folder + file["path"]] = data
            times[folder + file["path"]] = int(file["modified"])


def bundle_of(path):
    """§ 4: the folder of the bundle that has a file; None for an object of its own."""
    parts = path.split("/")
    if path in ("page.html", "reader.html"):
        return ""
    if len(parts) == 2 and parts[0] == "assets" and re.match(r"[0-9A-Fa-f]{16,}\.", parts[1]):
        return ""
    if len(parts) > 2 and parts[0] == "snapshots" and re.match(r"[0-9]{8}T.{6}Z-[0-9A-Fa-f]{8}[-0-9]*$", parts[1]):
        return "/".join(parts[:2])
    return None


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    found, times = Exchange(arguments[0]).files()
    for path, data in found.items():
        target = os.path.join(arguments[1], path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            file.write(data)
        if path in times:
            os.utime(target, ns=(times[path], times[path]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

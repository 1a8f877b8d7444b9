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

import smallfile

HASH = re.compile("[0-9a-f]{64}")


class Refused(Exception):
    """The exchange, a head or an object cannot be used."""


def read(*parts):
    with open(os.path.join(*parts), "rb") as file:
        return file.read()


def split(path):
    """§ 5: prefix and name of a path; None if ustar cannot hold it."""
    if len(path) <= 100:
        return b"", path
    place = path.find(b"/", max(1, len(path) - 101))
    return (path[:place], path[place + 1:]) if 1 <= place <= 155 else None


def folders(path, limit):
    """The longest beginning of a path that ends with a slash and has at most so many bytes."""
    return path[:path.rfind(b"/", 0, limit) + 1]


def short_path(path, is_pax):
    """§ 5: what stands in a header in place of a path."""
    if len(path) <= 99 and not is_pax:
        return path
    most = 87 if is_pax else 98
    name = path[path.rfind(b"/") + 1:][:most]
    above = path[:path.rfind(b"/") + 1]
    first = folders(above, 155)
    more = folders(above[len(first):], most + 1 - len(name))
    return first + more + (b"PaxHeader/" if is_pax else b"") + name


def header(path, size, kind):
    """§ 5: a block of 512 bytes."""
    prefix, name = split(path)
    block = bytearray(512)
    for offset, data in ((0, name), (100, b"000644 \0"), (108, b"000000 \0"), (116, b"000000 \0"), (124, b"%011o " % size),
                         (136, b"%011o " % 0), (148, b" " * 8), (156, kind), (257, b"ustar\00000"), (329, b"000000 \0"),
                         (337, b"000000 \0"), (345, prefix)):
        block[offset:offset + len(data)] = data
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def padded(data):
    return data + bytes(-len(data) % 512)


def tar_file(files):
    """§ 5: the bytes of a pack or a bundle."""
    result = []
    for path, data in files.items():
        path = path.encode()
        if not path.isascii() or split(path) is None:
            rest = b" path=" + path + b"\n"
            length = len(rest)
            while len(b"%d" % length) + len(rest) != length:
                length = len(b"%d" % length) + len(rest)
            path = short_path(path, False)
            result += [header(short_path(path, True), length, b"x"), padded(b"%d" % length + rest)]
        result += [header(path, len(data), b"0"), padded(data)]
    return b"".join(result) + bytes(1024)


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
        if tar_file(files) != data:
            raise Refused("%s has other bytes than § 5 says" % name)
        return files

    def written(self, head):
        """§ 2: the packs of a device, those of its lists first."""
        listed = [name for each in head.get("lists", []) for name in self.raw(each).decode("ascii").split("\n")[:-1]]
        if not all(HASH.fullmatch(name) for name in listed):
            raise Refused("a list of packs with other names")
        return listed + head["packs"]

    def packs(self):
        """§ 7: all packs by their names, each with the names of those that it follows."""
        packs = {}
        for name in (name for head in self.heads.values() for name in self.written(head)):
            files = self.tar(name)
            if next(iter(files)) != "pack.json":
                raise Refused("%s does not begin with pack.json" % name)
            packs[name] = (checked(files["pack.json"], self.library), files)
        followed, waiting = {}, list(packs)
        while waiting:
            name = waiting.pop()
            earlier = [each for each in packs[name][0]["after"] if each in packs]
            lacking = [each for each in earlier if each not in followed]
            if lacking:
                waiting += [name] + lacking
            else:
                followed[name] = set(earlier).union(*(followed[each] for each in earlier))
        return packs, followed

    def files(self):
        """§ 7, what an exchange holds: the files of the library by path, with their times."""
        found, times, states, besides, more = {}, {}, {}, {}, {}
        packs, followed = self.packs()
        for name, (header, files) in packs.items():
            for beside in header.get("besides", []):
                besides.setdefault(beside["path"], []).append((int(beside["modified"]), name, files[beside["path"]]))
            for path, data in files.items():
                parts = path.split("/")
                if parts[0] == "states":
                    states.setdefault(parts[2][:-len(".json")], []).append((name, json.loads(data)))
                elif parts[0] == "items" and len(parts) == 5:
                    if parts[3] == "history" and hashlib.sha256(data).hexdigest() != parts[4][:64]:
                        raise Refused("%s in %s has another hash" % (path, name))
                    more[path] = data
        for path, each in besides.items():
            newest = [one for one in each if not any(one[1] in followed[other[1]] for other in each)]
            times[path], _, found[path] = max(newest)
            for modified, _, data in newest if path.split("/")[0] in ("collections", "tags", "smart") else []:
                if data != found[path]:
                    found[path], times[path], _ = smallfile.join(
                        smallfile.State(found[path], times[path]), smallfile.State(data, modified))
        for identifier, each in states.items():
            newest = [one for one in each if not any(
                one[0] in followed[other[0]] and set(one[1].get("history", [])) <= set(other[1].get("history", []))
                for other in each)]
            name, state = self.newest(identifier, newest, packs, more)
            self.add_item(identifier, state, {**more, **packs[name][1]}, found, times)
        return found, times

    def newest(self, identifier, states, packs, more):
        """The only state that is not old, with its pack."""
        folder = "items/%s/%s/" % (identifier[-2:], identifier)
        versions = {path[len(folder + "history/"):-len(".json")]: exactly(data) for path, data in more.items()
                    if path.startswith(folder + "history/") and path.endswith(".json")}

        def own(name, state):
            """The names of versions with the content of a state."""
            files = [[file[key] for key in ("path", "sha256", "size")] for file in state.get("files", [])
                     if bundle_of(file["path"]) == "" or is_document(file["path"], state)]
            content = (exactly(packs[name][1][folder + "item.json"]), state.get("text", {}).get("sha256"), files)
            return {each for each, version in versions.items() if content == (
                version["item"], version.get("text"),
                [[file["path"], file["sha256"], int(file["size"])] for file in version.get("files", [])])}

        def above(names):
            """The versions that some versions come from."""
            found, rest = set(), list(names)
            while rest:
                for parent in versions.get(rest.pop(), {"parents": []})["parents"]:
                    if parent not in found:
                        found.add(parent)
                        rest.append(parent)
            return found
        kept = {}
        for name, state in states:
            mine = own(name, state)
            is_old = any(mine and mine <= above(own(*other)) for other in states if other[0] != name)
            if not is_old:
                content = [state["item"]["sha256"], state.get("text", {}).get("sha256")] + [
                    state.get(key, []) for key in ("history", "conflicts")] + [
                    [[file["path"], file["sha256"]] for file in state.get("files", [])]]
                kept[json.dumps(content)] = (name, state)
        if len(kept) != 1:
            raise Refused("%s has %d states that are not joined" % (identifier, len(kept)))
        return next(iter(kept.values()))

    def add_item(self, identifier, state, files, found, times):
        folder = "items/%s/%s/" % (identifier[-2:], identifier)
        for key, name in (("item", "item.json"), ("text", "text.md")):
            if key in state:
                found[folder + name] = files[folder + name]
                if hashlib.sha256(found[folder + name]).hexdigest() != state[key]["sha256"]:
                    raise Refused("%s of %s is not that of its state" % (name, identifier))
                times[folder + name] = int(state[key]["modified"])
        for key in ("history", "conflicts"):
            for name in state.get(key, []):
                found[folder + key + "/" + name] = files[folder + key + "/" + name]
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


def exactly(data):
    """An object as it is spelt: the order of its members and the spelling of numbers count."""
    return json.loads(data, parse_int=str, parse_float=str, object_pairs_hook=Members)


class Members(dict):
    """Equal if the members are equal, in their order."""

    def __init__(self, pairs):
        super().__init__(pairs)
        self.pairs = pairs

    def __eq__(self, other):
        return isinstance(other, Members) and self.pairs == other.pairs

    __hash__ = None


def is_document(path, state):
    """§ 4: whether a file is the document."""
    parts = path.split("/")
    return (len(parts) == 2 and parts[0] == "document" and path not in state.get("extras", [])
            and not re.fullmatch(r"(?s).+\.conflict-[0-9a-f]{8}(\..{0,19})?", parts[1]))


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

#!/usr/bin/env python3
"""Writes a StuffBucket library. Written from FORMAT.md (§ 1 to § 23) and DeviceFiles.md (§ D1 to § D7) alone.

Usage: writer.py LIBRARY COMMAND

  init NAME                     make a library
  add-snippet TITLE TEXT [TAG…] add a text
  add-link URL [TAG…]           add a link
  add-document FILE             add a copy of a file
  title ID TITLE                set the title; an empty one removes it
  tag ID TAG…                   add tags
  append ID TEXT                append a paragraph to the text
  trash ID                      put an item into the trash
  purge ID                      remove an item that is in the trash

Prints the id of the library or the item.
"""

import contextlib
import ctypes
import errno
import fcntl
import hashlib
import json
import os
import re
import secrets
import stat
import sys
import time

import reader
from reader import (Document, Folder, JSONError, Member, NotAnItem, Value, canonical, hash8,
                    hash16, now_milliseconds, string, write_time, write_value)

PATIENCE = 1.0               # § 14: seconds to wait for a file that is absent
NO_REPLACE, EXCHANGE = 1, 2
FOLDERS = ("items", "tombstones", "collections", "tags", "smart", "inbox", "inbox/rejected",
           "schema")
SUPPORT_FILES = {".gitignore": b"/.sbfs/\n", ".gitattributes": b"* -text\n",
                 ".stignore": b"/.sbfs\n"}
SMART_FOLDERS = (("Today", "updated:today"), ("This Week", "updated:week"),
                 ("Pinned", "is:pinned"))
CACHE_TAG = b"Signature: 8a477f597d28d172789f06886806bc55\n"


class Failed(Exception):
    """A refused change, with the reason."""


class Conflict(Failed):
    """A change that conflicts with another program's change (§ 14)."""


# ---------------------------------------------------------------- file system

def _load_renameat2():
    try:
        function = ctypes.CDLL(None, use_errno=True).renameat2
    except AttributeError:
        return None
    function.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p,
                         ctypes.c_uint)
    return function


_renameat2 = _load_renameat2()
UNSUPPORTED = (errno.EINVAL, errno.ENOSYS)


def _rename_with(flags, source, old, target, new):
    if _renameat2 is None:
        raise OSError(errno.ENOSYS, "no renameat2")
    if _renameat2(source.fd, os.fsencode(old), target.fd, os.fsencode(new), flags):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), new)


def exchange(source, old, target, new):
    """§ 1: swaps two names in one step."""
    _rename_with(EXCHANGE, source, old, target, new)


def rename_new(source, old, target, new):
    """Renames without replacing; FileExistsError if the name is taken (§ 14)."""
    try:
        _rename_with(NO_REPLACE, source, old, target, new)
    except OSError as error:
        if error.errno not in UNSUPPORTED:
            raise
        if target.status(new) is not None:
            raise FileExistsError(errno.EEXIST, "is there already", new)
        rename(source, old, target, new)


def rename(source, old, target, new):
    os.rename(old, new, src_dir_fd=source.fd, dst_dir_fd=target.fd)


def sync(folder):
    os.fsync(folder.fd)


def make_folder(parent, name, mode=0o777):
    """Creates a folder if it is missing. Returns whether it did."""
    try:
        os.mkdir(name, mode, dir_fd=parent.fd)
        return True
    except FileExistsError:
        return False


def write_file(folder, name, data, mode=0o666):
    """Writes a new file and syncs it. The mode of a file that is replaced is kept whole."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(name, flags, mode, dir_fd=folder.fd)
    with os.fdopen(descriptor, "wb") as file:
        if mode != 0o666:
            os.fchmod(descriptor, mode)
        file.write(data)
        file.flush()
        os.fsync(descriptor)


def remove(folder, name):
    with contextlib.suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder.fd)


def remove_tree(folder, name, depth=0):
    """§ 21.2: deletes a tree; links are removed and never followed."""
    if depth > 256:
        raise Failed("folders are nested too deeply")
    deeper = folder.folder(name)
    if deeper is None:
        remove(folder, name)
        return
    with deeper:
        for entry in deeper.names():
            remove_tree(deeper, entry, depth + 1)
    os.rmdir(name, dir_fd=folder.fd)


def same_file(one, other):
    """§ 14: device, inode, size and modification time."""
    return other is not None and all(
        getattr(one, key) == getattr(other, key)
        for key in ("st_dev", "st_ino", "st_size", "st_mtime_ns"))


def locked(descriptor, status):
    """§§ 15, D3: whether a descriptor still is the file that a path names."""
    mine = os.fstat(descriptor)
    return status is not None and (mine.st_dev, mine.st_ino) == (status.st_dev, status.st_ino)


# ---------------------------------------------------------------- changes (§ 14)

def is_young(folder, name):
    """Whether a file was written so lately that its program may be about to rename it (FORMAT.md § 7.3)."""
    return abs(time.time() - os.stat(name, dir_fd=folder.fd, follow_symlinks=False).st_mtime) < 2


def put(root, key, value):
    """Sets or removes a member in the order of § 5.2."""
    member = root.member(key)
    if value is None:
        root.value[:] = [m for m in root.value if m is not member]
    elif member is not None:
        member.value = value
    else:
        root.value.insert(_place_of(root, key), Member(string(key), value))


def _place_of(root, key):
    rank = reader.ORDER.get(key)
    if rank is None:
        return len(root.value)
    before = [i for i, m in enumerate(root.value)
              if reader.ORDER.get(m.key.value, len(reader.ORDER)) < rank]
    return before[-1] + 1 if before else 0


def spelt(value):
    """How a value would be written; None for absent and null."""
    return None if value is None or value.kind == "null" else write_value(value)


class Change:
    """A list of keys to set (or to remove: None) and of tags to add, decided on `root`.

    `moved` are keys to remove only while they have the value that they have in `root`.
    """

    def __init__(self, root, values=None, tags=(), moved=()):
        self.values, self.tags = dict(values or {}), list(tags)
        self.decided = {key: spelt(root.get(key)) for key in [*self.values, *moved]}
        self.moved = moved

    def has_effect(self, root):
        return (any(spelt(root.get(key)) != spelt(value) for key, value in self.values.items())
                or bool(self.tags) and self._tags_with(root) is not None)

    def _tags_with(self, root):
        """§ 5.7: the list of tags with the new ones, or None if they are there."""
        value = root.get("tags")
        if value is not None and (value.kind != "array"
                                  or any(e.kind != "string" for e in value.value)):
            raise Failed("`tags` is no array of strings, so it cannot be changed (§ 5.4)")
        old = reader.read_tags(e.value for e in value.value) if value is not None else []
        new = reader.read_tags([*old, *self.tags])
        if len(new) == len(old):
            return None
        return Value("array", [string(tag) for tag in new])

    def _check(self, root):
        for key, value in self.values.items():
            if spelt(root.get(key)) not in (self.decided[key], spelt(value)):
                raise Conflict("another program changed `%s`" % key)

    def make(self, data, touch=False):
        """The bytes of a version of item.json with this change; None if it has no effect."""
        root = Document(data, reader.ITEM_LIMIT).object()
        self._check(root)
        if not touch and not self.has_effect(root):
            return None
        for key, value in self.values.items():
            if spelt(root.get(key)) != spelt(value):
                put(root, key, value)
        tags = self._tags_with(root) if self.tags else None
        if tags is not None:
            put(root, "tags", tags)
        for key in self.moved:
            if spelt(root.get(key)) == self.decided[key]:
                put(root, key, None)
        self._lower_id(root)
        put(root, "updatedAt", string(write_time(next_update(root))))
        return canonical(root)

    @staticmethod
    def _lower_id(root):
        said = root.get("id")
        if said is not None and said.kind == "string" and said.value != said.value.lower():
            put(root, "id", string(said.value.lower()))


def next_update(root):
    """§ 5.9, writing `updatedAt`."""
    now = now_milliseconds()
    said = root.get("updatedAt")
    own = reader.parse_time(said.value) if said is not None and said.kind == "string" else None
    return own + 1 if own is not None and now <= own <= now + reader.DAY else now


def appended(old, paragraph):
    """§ 6.1: a text with a paragraph more."""
    between = b"" if not old or old.endswith(b"\n\n") else b"\n" if old.endswith(b"\n") else b"\n\n"
    return old + between + paragraph


# ---------------------------------------------------------------- init (§ 13.8)

def object_of(*pairs):
    return Value("object", [Member(string(key), value) for key, value in pairs])


def number(spelling):
    return Value("number", str(spelling))


def version(parents, item, text=None, files=(), resolved=(), edited=False):
    """§ 8.7: the name and the bytes of a version. `files` are path, hash and size."""
    members = [("parents", Value("array", [string(name) for name in sorted(set(parents))])), ("item", item)]
    if text is not None:
        members.append(("text", string(text)))
    if files:
        members.append(("files", Value("array", [
            object_of(("path", string(path)), ("sha256", string(digest)), ("size", number(size)))
            for path, digest, size in sorted(files, key=lambda file: file[0].encode())])))
    if resolved:
        members.append(("resolved", Value("array", [string(path) for path in sorted(resolved, key=str.encode)])))
    if edited and not parents:
        members.append(("edited", Value("true")))
    data = canonical(object_of(*members))
    return hashlib.sha256(data).hexdigest(), data


def new_id():
    """§ 3.1: a UUID of version 7."""
    bits = now_milliseconds() << 80 | 7 << 76 | secrets.randbits(12) << 64
    digits = "%032x" % (bits | 2 << 62 | secrets.randbits(62))
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def schema():
    """§ 2: a JSON Schema of § 5.3 for editors."""
    types = {"string": "string", "uuid": "string", "url": "string", "path": "string",
             "time": "string", "sha256": "string", "bool": "boolean", "number": "number",
             "count": "number", "strings": "array", "annotations": "array", "object": "object"}
    properties = {}
    for key, kind in reader.FIELDS.items():
        name = "string" if isinstance(kind, tuple) else types.get(kind)
        properties[key] = {"type": [name, "null"]} if name else {}
    content = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
               "properties": properties}
    return (json.dumps(content, indent=2) + "\n").encode("utf-8")


EDITOR_SETTINGS = (json.dumps({"json.schemas": [
    {"fileMatch": ["/items/*/*/item.json"], "url": "./schema/item-1.json"}]}, indent=2)
    + "\n").encode("utf-8")


def complete(root):
    """Steps 1 and 2 of init, which every opening that may write takes (§ 2)."""
    for path in FOLDERS:
        parent, _, name = path.rpartition("/")
        with reader.folder_at(root, parent) if parent else Folder(".", root) as folder:
            make_folder(folder, name)
    for name, data in SUPPORT_FILES.items():
        place_file(root, name, data)
    with Folder("schema", root) as folder:
        place_file(folder, "item-1.json", schema())


def place_file(folder, name, data):
    """Puts a file in place if it is missing, under a temporary name first."""
    if folder.status(name) is not None:
        return
    temporary = ".sbfs-new-" + name
    remove(folder, temporary)
    write_file(folder, temporary, data)
    try:
        rename_new(folder, temporary, folder, name)
    except FileExistsError:
        remove(folder, temporary)


def init(path, name):
    """§ 13.8. Returns the id of the library."""
    os.makedirs(path, exist_ok=True)
    with Folder(path) as root:
        complete(root)
        make_folder(root, ".vscode")
        with Folder(".vscode", root) as folder:
            place_file(folder, "settings.json", EDITOR_SETTINGS)
        with Folder("smart", root) as folder:
            for title, query in SMART_FOLDERS:
                content = object_of(("name", string(title)), ("query", string(query)))
                place_file(folder, reader.slug_name(title), canonical(content))
            sync(folder)
        place_file(root, "library.json", canonical(object_of(
            ("format", number(1)), ("id", string(new_id())),
            ("name", string(reader.collapse(name))),
            ("createdAt", string(write_time(now_milliseconds()))), ("purgeDays", number(10)),
            ("maxFileSizeMB", number(512)), ("defaultTags", Value("array", [])))))
        sync(root)
    return reader.Library(path).id


# ---------------------------------------------------------------- .sbfs (§ D1)

class Session:
    """§ D3: this process's own folder in staging."""

    def __init__(self, staging):
        self.name = secrets.token_hex(8)
        make_folder(staging, self.name, 0o700)
        self.folder = Folder(self.name, staging)
        fcntl.flock(self.folder.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def stage(self, name, data, mode=0o666):
        """A file that is whole under its name."""
        write_file(self.folder, "part-" + name, data, mode)
        rename(self.folder, "part-" + name, self.folder, name)
        return name

    def close(self, staging):
        self.folder.__exit__()
        with contextlib.suppress(OSError):
            os.rmdir(self.name, dir_fd=staging.fd)


STAGED = re.compile(r"(?P<id>[^.]*)\.(?P<file>item\.json|text\.md)"
                    r"\.(?P<own>[0-9a-f]{16})\.(?P<base>[0-9a-f]{16})\Z")


def staged_name(identifier, file, data, base):
    return "%s.%s.%s.%s" % (identifier, file, hash16(data), hash16(base))


class Writer:
    """An opening of a library that may write. Use it in a `with` statement."""

    uses_exchange = True

    def __init__(self, path):
        self.library = reader.Library(path)
        if self.library.min_writer > reader.FORMAT_VERSION:
            raise Failed("the library is of a newer format")
        self.root = Folder(self.library.path)
        complete(self.root)
        self._adopt()
        self.staging = reader.folder_at(self.root, ".sbfs/staging")
        self._recover()
        self.session = Session(self.staging)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.session.close(self.staging)
        self.staging.__exit__()
        self.root.__exit__()

    # -- locks and owner

    @contextlib.contextmanager
    def lock(self, wait=True):
        """§ 15: the writer's lock; BlockingIOError if it is not free and not waited for."""
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        while True:
            make_folder(self.root, ".sbfs")
            with Folder(".sbfs", self.root) as own:
                descriptor = os.open("lock", flags, 0o666, dir_fd=own.fd)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
                if not locked(descriptor, self._status(".sbfs/lock")):
                    continue
                yield
                return
            finally:
                os.close(descriptor)

    def _status(self, path):
        try:
            return os.stat(path, dir_fd=self.root.fd, follow_symlinks=False)
        except OSError:
            return None

    def _adopt(self):
        """§ D2: makes `.sbfs` this device's own."""
        if reader.adopted_time(self.library.path) is not None:
            with Folder(".sbfs", self.root) as own:
                make_folder(own, "staging")
            return
        with self.lock(), Folder(".sbfs", self.root) as own:
            if reader.adopted_time(self.library.path) is not None:
                return
            for name in own.names():
                if name not in ("lock", "CACHEDIR.TAG"):
                    remove_tree(own, name)
            place_file(own, "CACHEDIR.TAG", CACHE_TAG)
            write_file(own, ".new-owner", canonical(self._owner(own)))
            rename(own, ".new-owner", own, "owner")
            make_folder(own, "staging")

    def _owner(self, own):
        return object_of(
            ("machine", string(reader.machine())),
            ("inode", string(str(os.fstat(own.fd).st_ino))),
            ("birth", string(reader.birth_of(os.path.join(self.library.path, ".sbfs")))),
            ("adoptedAt", string(write_time(now_milliseconds()))))

    # -- recovery (§ D3)

    def _recover(self):
        for name in self.staging.names():
            if not re.fullmatch("[0-9a-f]{16}", name):
                continue
            session = self.staging.folder(name)
            if session is None:
                continue
            with session:
                try:
                    fcntl.flock(session.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    continue
                if locked(session.fd, self.staging.status(name)):
                    self._recover_session(session)
                    with contextlib.suppress(OSError):
                        os.rmdir(name, dir_fd=self.staging.fd)

    def _recover_session(self, session):
        names = session.names()
        held = {name: self._held_hash(session, name) for name in names if STAGED.match(name)}
        for name in names:
            identifier = name.partition(".")[0]
            if reader.is_uuid(name) or name.startswith(("document-", "kept-", "part-")):
                remove_tree(session, name)
            elif name.endswith(".purged") and reader.is_uuid(name[:-len(".purged")]):
                self._recover_purged(session, name, identifier.lower())
            elif held.get(name) and reader.is_uuid(identifier):
                self._recover_staged(session, name, held)

    @staticmethod
    def _held_hash(session, name):
        found = session.read(name, reader.TEXT_LIMIT)
        return hash16(found[0]) if found and len(found[0]) <= reader.TEXT_LIMIT else None

    def _recover_purged(self, session, name, identifier):
        purged, _ = self.library.purge_of(identifier)
        folder = session.folder(name)
        if folder is None:
            return
        with folder:
            times = [status.st_mtime_ns // 1_000_000
                     for status in map(folder.status, ("item.json", "text.md", "document"))
                     if status is not None]
        if purged is not None and all(time <= purged for time in times):
            remove_tree(session, name)
            return
        with self.lock(), self._shard_for(identifier) as shard:
            with contextlib.suppress(OSError):
                rename_new(session, name, shard, identifier)
                sync(shard)

    def _recover_staged(self, session, name, held):
        """The numbered list of § D3."""
        staged, holds = STAGED.match(name), held[name]
        others = [other for other in held if other != name
                  and STAGED.match(other).group("id", "file") == staged.group("id", "file")]
        firsts = [STAGED.match(other).group("own") for other in others]
        if holds in (staged["own"], staged["base"], *firsts):
            remove(session, name)
            return
        with contextlib.suppress(BlockingIOError, NotAnItem), self.lock(wait=False), \
                self._item_folder(staged["id"]) as folder:
            live = folder.read(staged["file"], reader.TEXT_LIMIT)
            if live is None:
                return
            live_hash = hash16(live[0])
            joined = [o for o in others if STAGED.match(o)["base"] == holds
                      and STAGED.match(o)["own"] == live_hash]
            theirs = session.read(name, reader.TEXT_LIMIT)[0]
            if joined:
                remove(session, name)
            elif live_hash == staged["own"] and self.uses_exchange \
                    and staged["base"] not in [held[o] for o in others]:
                exchange(session, name, folder, staged["file"])
                sync(folder)
                if self._held_hash(session, name) == staged["own"]:
                    remove(session, name)
            else:
                self._keep(folder, staged["file"], theirs, session)
                remove(session, name)

    # -- finding items

    def item(self, identifier):
        """An item that may be changed: it must stand in one place (§ 5.5)."""
        identifier = identifier.lower()
        shards = self.library.places().get(identifier, [])
        if len(shards) > 1:
            raise Failed("the item stands in %d places" % len(shards))
        if not shards:
            raise Failed("no item " + identifier)
        try:
            return self.library.read_item(identifier, shards[0],
                                          reader.adopted_time(self.library.path))
        except (NotAnItem, JSONError) as error:
            raise Failed("%s: %s" % (identifier, error))

    def _item_folder(self, identifier):
        shards = self.library.places().get(identifier, [])
        folder = reader.folder_at(self.root, "items/%s/%s" % (shards[0], identifier)) \
            if len(shards) == 1 else None
        if folder is None:
            raise NotAnItem(identifier)
        return folder

    def _shard_for(self, identifier, parent="items"):
        """The folder of a shard; creates it if it is missing."""
        with Folder(parent, self.root) as folder:
            if make_folder(folder, reader.shard_of(identifier)):
                sync(folder)
            return Folder(reader.shard_of(identifier), folder)

    # -- replacing a file (§ 14)

    def _replace(self, identifier, file, make, decided):
        """Makes a change to a file of an item. `make` maps old bytes to new ones or None.

        `decided` are the bytes that the change was decided on. Tells whether it wrote.
        """
        deadline = time.monotonic() + PATIENCE
        place = self._place_exchanged if self.uses_exchange else self._place_checked
        with self._item_folder(identifier) as folder:
            while True:
                found = folder.read(file, reader.TEXT_LIMIT)
                if found is not None:
                    new = self._make_or_keep(folder, file, make, found[0], decided)
                    if new is None:
                        return False
                    if place(folder, identifier, file, found, new, make):
                        sync(folder)
                        return True
                if time.monotonic() > deadline:
                    raise Failed(file + " is not there")

    def _make_or_keep(self, folder, file, make, base, decided):
        """Step 1: keeps a change that clashes with the file as it is now."""
        try:
            return make(base)
        except Conflict:
            ours = make(decided)
            if ours is not None:
                self._keep(folder, file, ours)
            raise

    def _place_exchanged(self, folder, identifier, file, base, ours, make):
        """Steps 2–6. False: begin again."""
        data, status = base
        staged = self.session.stage(staged_name(identifier, file, ours, data), ours,
                                    stat.S_IMODE(status.st_mode))
        with self.lock():
            try:
                exchange(self.session.folder, staged, folder, file)
            except FileNotFoundError:
                remove(self.session.folder, staged)
                return False
            except OSError as error:
                remove(self.session.folder, staged)
                if error.errno not in UNSUPPORTED:
                    raise
                self.uses_exchange = False
                return False
            theirs = self._taken(staged)
            if theirs != data:
                return self._join(folder, identifier, file, staged, ours, theirs, make)
            remove(self.session.folder, staged)
            return True

    def _taken(self, staged):
        return self.session.folder.read(staged, reader.TEXT_LIMIT)[0]

    def _join(self, folder, identifier, file, staged, ours, theirs, make):
        """Steps 5 and 6, under the lock: somebody saved `theirs` meanwhile."""
        try:
            joined = make(theirs)
        except (Conflict, JSONError, Failed) as error:
            self._put_back(folder, file, staged, ours, theirs)
            raise Conflict("%s; what would have been written is in conflicts/" % error)
        joined = theirs if joined is None else joined
        status = folder.status(file)
        second = self.session.stage(
            staged_name(identifier, file, joined, theirs), joined,
            stat.S_IMODE(status.st_mode if status else 0o644))
        try:
            exchange(self.session.folder, second, folder, file)
            third = self._taken(second)
            if third != ours:
                self._keep(folder, file, theirs)
                self._keep(folder, file, third)
            done = True
        except FileNotFoundError:
            self._keep(folder, file, theirs)
            done = False
        remove(self.session.folder, staged)
        remove(self.session.folder, second)
        return done

    def _put_back(self, folder, file, staged, ours, theirs):
        self._keep(folder, file, ours)
        exchange(self.session.folder, staged, folder, file)
        if self._taken(staged) != ours:
            self._keep(folder, file, theirs)
            exchange(self.session.folder, staged, folder, file)
        sync(folder)
        remove(self.session.folder, staged)

    def _place_checked(self, folder, identifier, file, base, ours, make):
        """§ 14, without RENAME_EXCHANGE. False: begin again."""
        data, status = base
        staged = self.session.stage(staged_name(identifier, file, ours, data), ours,
                                    stat.S_IMODE(status.st_mode))
        with self.lock():
            if not same_file(status, folder.status(file)):
                remove(self.session.folder, staged)
                return False
            rename(self.session.folder, staged, folder, file)
        return True

    def _keep(self, folder, file, data, session=None):
        """§§ 3.5, 13.5: keeps a version in conflicts/."""
        session = session or self.session.folder
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        name = "%s-%s.%s" % (stamp, hash8(data), file)
        make_folder(folder, "conflicts")
        with Folder("conflicts", folder) as conflicts:
            temporary = "kept-" + secrets.token_hex(4) + "." + name
            write_file(session, temporary, data)
            try:
                rename_new(session, temporary, conflicts, name)
            except FileExistsError:
                remove(session, temporary)
            sync(conflicts)
        sync(folder)

    # -- changing items

    def change(self, identifier, values=None, tags=()):
        """Sets keys and adds tags (§ 13.3). Tells whether something changed."""
        item = self.item(identifier)
        if not Change(item.root, values, tags).has_effect(item.root):
            return False
        return self._change(item, values, tags)

    def _change(self, item, values=None, tags=(), touch=False, moved=None):
        """A change with what every change brings along (§§ 6.2, 7.3)."""
        moved = self._move_text_content(item) if moved is None else moved
        change = Change(item.root, {**self._adopt_loose(item), **(values or {})}, tags, moved)
        return self._replace(item.id, "item.json", lambda data: change.make(data, touch),
                             item.document_json.data)

    def _move_text_content(self, item):
        """§ 13.5, step 1. Returns the keys that item.json may lose."""
        content = item.fields.get("textContent")
        if content is None:
            return ()
        data = content.encode("utf-8")
        with self._item_folder(item.id) as folder:
            if folder.status("text.md") is None:
                self._place_text(folder, item.id, data)
            found = folder.read("text.md", reader.TEXT_LIMIT)
            if found is None:
                return ()
            if found[0] != data:
                self._keep(folder, "text.md", data)
        return ("textContent",)

    def _place_text(self, folder, identifier, data):
        """§ 13.4, steps 1–3, without a text.md. Tells whether the name was free."""
        name = "kept-%s.text.md" % identifier
        write_file(self.session.folder, name, data)
        try:
            with self.lock():
                rename_new(self.session.folder, name, folder, "text.md")
        except FileExistsError:
            remove(self.session.folder, name)
            return False
        sync(folder)
        return True

    def _adopt_loose(self, item):
        """§ 7.3. Returns the keys to set."""
        with self._item_folder(item.id) as folder:
            loose = reader.choose_document(item.fields.get("documentRelativePath"), folder)
            if loose is None or "/" in loose or is_young(folder, loose):
                return {}
            name, original = reader.stored_name(os.fsencode(loose))
            with self.lock():
                make_folder(folder, "document")
                with Folder("document", folder) as documents:
                    rename_new(folder, loose, documents, name)
                    sync(documents)
            sync(folder)
        return document_keys(name, original)

    def append(self, identifier, text):
        """§ 13.4: appends a paragraph."""
        item, paragraph = self.item(identifier), text.encode("utf-8")
        moved = self._move_text_content(item)
        with self._item_folder(item.id) as folder:
            if folder.status("text.md") is not None and not folder.is_regular("text.md"):
                raise Failed("text.md is no regular file")
            placed = folder.status("text.md") is None \
                and self._place_text(folder, item.id, paragraph)
        if not placed:
            self._replace(item.id, "text.md", lambda old: self._grown(old, paragraph), b"")
        self._change(item, touch=True, moved=moved)

    @staticmethod
    def _grown(old, paragraph):
        new = appended(old, paragraph)
        if len(new) > reader.TEXT_LIMIT:
            raise Failed("the text would be too long")
        return new

    def trash(self, identifier):
        """§ 10: writes both marks, and notes the item in this device's log."""
        item = self.item(identifier)
        if all(item.marks):
            return False
        self._change(item, {"trashedAt": string(write_time(now_milliseconds()))}, ["trashcan"])
        self._note_trashed(self.item(identifier))
        return True

    def _note_trashed(self, item):
        line = "\n%s %s\n" % (item.id, write_time(item.fields["trashedAt"]))
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        with Folder(".sbfs", self.root) as own:
            descriptor = os.open("trash", flags, 0o666, dir_fd=own.fd)
        try:
            os.write(descriptor, line.encode("ascii"))
        finally:
            os.close(descriptor)

    # -- purging (§§ 10, 13.7)

    def purge(self, identifier):
        item = self.item(identifier)
        if not all(item.marks):
            raise Failed("the item has not both marks of the trash")
        purged = item.id + ".purged"
        with self.lock(), Folder("items", self.root) as items, Folder(item.shard, items) as shard:
            self._compare(item, shard, item.id)
            with self._shard_for(item.id, "tombstones") as stones:
                self._write_tombstone(item, stones)
                rename(shard, item.id, self.session.folder, purged)
                sync(shard)
                try:
                    self._compare(item, self.session.folder, purged)
                except Conflict:
                    rename_new(self.session.folder, purged, shard, item.id)
                    sync(shard)
                    remove(stones, item.id + ".json")
                    raise
        remove_tree(self.session.folder, purged)

    def _compare(self, item, parent, name):
        """Steps 1 and 4: fails if the item changed since the decision."""
        with Folder(name, parent) as folder:
            data, _ = folder.read("item.json", reader.ITEM_LIMIT) or (None, None)
            same = data == item.document_json.data
            same = same and _same_time(item.text_status, folder.status("text.md"))
            if item.document is not None and same:
                parent = item.document_path.rpartition("/")[0]
                documents = reader.folder_at(folder, parent or ".")
                same = documents is not None
                if same:
                    with documents:
                        same = _same_time(item.document_status, documents.status(item.document))
        if not same:
            raise Conflict("the item was changed meanwhile")

    def _write_tombstone(self, item, stones):
        name = "kept-%s.json" % item.id
        content = object_of(("id", string(item.id)),
                            ("purgedAt", string(write_time(max(item.updated, now_milliseconds())))))
        write_file(self.session.folder, name, canonical(content))
        rename(self.session.folder, name, stones, item.id + ".json")
        sync(stones)

    # -- new items (§ 13.2)

    def add_snippet(self, title, text, tags=()):
        return self._add("snippet", tags, {"title": string(title)} if title else {},
                         text=text.encode("utf-8"))

    def add_link(self, link, tags=()):
        if not reader.passes_quick_look(link) or reader.normal_form(link) is None:
            raise Failed("no link (§ 5.6)")
        return self._add("link", tags, {"linkURL": string(link),
                                        "archiveStatus": string("pending")})

    def add_document(self, path):
        return self._add("document", (), {}, source=path)

    def _add(self, kind, tags, values, text=None, source=None):
        identifier, now = new_id(), string(write_time(now_milliseconds()))
        all_tags = reader.read_tags([*self.library.default_tags, *tags])
        os.mkdir(identifier, dir_fd=self.session.folder.fd)
        with Folder(identifier, self.session.folder) as folder:
            if source is not None:
                values = {**values, **self._copy_document(source, folder)}
            if text is not None:
                write_file(folder, "text.md", text)
            values = {"id": string(identifier), "type": string(kind), "source": string("cli"),
                      "createdAt": now, "updatedAt": now, **values}
            if all_tags:
                values["tags"] = Value("array", [string(tag) for tag in all_tags])
            pairs = sorted(values.items(), key=lambda pair: reader.ORDER[pair[0]])
            write_file(folder, "item.json", canonical(object_of(*pairs)))
            sync(folder)
        with self.lock():
            shard = self._shard_for(identifier)
            rename_new(self.session.folder, identifier, shard, identifier)
        with shard:
            sync(shard)
        return identifier

    def _copy_document(self, path, folder):
        """§§ 3.2, 7.2: a copy in document/. Returns the keys to set."""
        limit = self.library.whole_setting("maxFileSizeMB", 50, 4096, 512) * reader.MIB
        name, original = reader.stored_name(os.path.basename(os.fsencode(path)))
        digest, size = hashlib.sha256(), 0
        make_folder(folder, "document")
        with open(path, "rb") as file, Folder("document", folder) as documents:
            descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666,
                                 dir_fd=documents.fd)
            with os.fdopen(descriptor, "wb") as copy:
                for block in iter(lambda: file.read(reader.MIB), b""):
                    size += len(block)
                    if size > limit:
                        raise Failed("the file is too large")
                    digest.update(block)
                    copy.write(block)
                copy.flush()
                os.fsync(descriptor)
            sync(documents)
        return {**document_keys(name, original), "documentSHA256": string(digest.hexdigest())}


def document_keys(name, original):
    keys = {"documentRelativePath": string("document/" + name)}
    if original is not None:
        keys["documentName"] = string(original)
    return keys


def _same_time(one, other):
    if one is None or other is None:
        return one is None and other is None
    return one.st_mtime_ns == other.st_mtime_ns


# ---------------------------------------------------------------- command line

def run(path, command, arguments):
    if command == "init":
        return init(path, *arguments)
    with Writer(path) as writer:
        if command == "add-snippet":
            return writer.add_snippet(arguments[0], arguments[1], arguments[2:])
        if command == "add-link":
            return writer.add_link(arguments[0], arguments[1:])
        if command == "add-document":
            return writer.add_document(*arguments)
        identifier = arguments[0].lower()
        if command == "title":
            title = arguments[1]
            writer.change(identifier, {"title": string(title) if title else None})
        elif command == "tag":
            writer.change(identifier, tags=arguments[1:])
        elif command in ("append", "trash", "purge"):
            getattr(writer, command)(*arguments)
        else:
            raise IndexError(command)
        return identifier


def main(arguments):
    try:
        print(run(arguments[0], arguments[1], arguments[2:]))
    except (IndexError, TypeError):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    except (Failed, NotAnItem, reader.Refused, OSError) as error:
        print("writer: %s" % error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""A model of Syncthing: a version vector for each file, conflict copies, deletions that travel, any order of delivery."""

import canonical


class Syncthing:
    def __init__(self):
        self.index = {}      # device -> path -> (hash or None, vector)
        self.copies = 0

    def _scan(self, device):
        index = self.index.setdefault(device.name, {})
        for path, file in device.disk.files.items():
            digest = canonical.sha(file.data)
            if index.get(path, (None,))[0] != digest:
                self._count(device, index, path, digest)
        for path, (digest, _) in list(index.items()):
            if digest is not None and path not in device.disk.files:
                self._count(device, index, path, None)

    @staticmethod
    def _count(device, index, path, digest):
        vector = dict(index.get(path, (None, {}))[1])
        vector[device.name] = vector.get(device.name, 0) + 1
        index[path] = digest, vector

    def sync(self, a, b, order=None):
        self._scan(a)
        self._scan(b)
        paths = sorted({*self.index[a.name], *self.index[b.name]})
        for path in order(paths) if order else paths:
            self._file(a, b, path)

    def _file(self, a, b, path):
        one, two = (self.index[device.name].get(path, (None, {})) for device in (a, b))
        if one[1] == two[1]:
            return
        if one[0] == two[0] or _includes(one[1], two[1]) or _includes(two[1], one[1]):
            vector = {name: max(one[1].get(name, 0), two[1].get(name, 0)) for name in {**one[1], **two[1]}}
            if one[0] != two[0]:
                source, target = (a, b) if _includes(one[1], two[1]) else (b, a)
                self._deliver(source, target, path)
        elif one[0] is None or two[0] is None:
            # A change wins over a deletion.
            source, target = (a, b) if two[0] is None else (b, a)
            self._deliver(source, target, path)
            vector = {name: max(one[1].get(name, 0), two[1].get(name, 0)) for name in {**one[1], **two[1]}}
        else:
            vector = {name: max(one[1].get(name, 0), two[1].get(name, 0)) for name in {**one[1], **two[1]}}
            newer = max((a, b), key=lambda device: (device.disk.files[path].mtime, device.name))
            older = b if newer is a else a
            self.copies += 1
            stem, _, extension = path.rpartition(".")
            file = older.disk.files[path]
            copy = "%s.sync-conflict-20260101-%06d-DEVICE%s.%s" % (stem, self.copies, older.name.upper(), extension)
            older.disk.write(copy, file.data, older.now, file.mtime)
            self._deliver(newer, older, path)
        digest = canonical.sha(a.disk.files[path].data) if path in a.disk.files else None
        for device in (a, b):
            self.index[device.name][path] = digest, dict(vector)

    @staticmethod
    def _deliver(source, target, path):
        file = source.disk.files.get(path)
        if file is None:
            target.disk.remove(path)
        else:
            target.disk.write(path, file.data, target.now, file.mtime)


def _includes(one, two):
    return all(one.get(name, 0) >= count for name, count in two.items())

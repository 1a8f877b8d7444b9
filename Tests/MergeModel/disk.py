"""Files of one replica: bytes with their times."""

from typing import NamedTuple


class File(NamedTuple):
    data: bytes
    mtime: int       # milliseconds since 1970, as the program that wrote it set it
    ctime: int       # as the device's clock had it
    moved: bool = False  # whether a program here wrote it under another name first, at mtime


class Disk:
    def __init__(self):
        self.files = {}

    def read(self, path):
        file = self.files.get(path)
        return file.data if file else None

    def write(self, path, data, now, mtime=None, moved=False):
        self.files[path] = File(data, now if mtime is None else mtime, now, moved)

    def remove(self, path):
        self.files.pop(path, None)

    def below(self, folder):
        """Paths below a folder, sorted; the folder ends with a slash."""
        return sorted(path for path in self.files if path.startswith(folder))

    def state(self):
        return {path: file.data for path, file in self.files.items()}

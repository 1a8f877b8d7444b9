"""rsync -a, with and without -u: whole files, newer or other, in one direction after the other."""


def copy(source, target, update, skip=lambda path: False, order=None):
    """Copies what differs; deletes nothing. `order` shuffles and cuts the list of an interrupted run."""
    paths = [path for path in sorted(source.disk.files, key=_order) if not skip(path)]
    for path in order(paths) if order else paths:
        file, old = source.disk.files[path], target.disk.files.get(path)
        if old is not None:
            if update and old.mtime >= file.mtime:
                continue
            if old.mtime == file.mtime and len(old.data) == len(file.data):
                continue
        target.disk.write(path, file.data, target.now, file.mtime)


def _order(path):
    """rsync sends the files of a folder before its subfolders."""
    folder, _, name = path.rpartition("/")
    return folder.split("/"), name


def sync(a, b, update=True, order=None):
    copy(a, b, update, order=order)
    copy(b, a, update, order=order)


def plain_copy(source, target):
    """cp -r or a file manager: every file, with the time of copying."""
    for path, file in source.disk.files.items():
        target.disk.write(path, file.data, target.now)

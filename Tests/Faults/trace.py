"""The calls of a command that change files, from strace(1)."""
import os
import re

KINDS = {
    "write": "write pwrite64 writev pwritev pwritev2 copy_file_range sendfile ioctl",
    "fsync": "fsync fdatasync syncfs sync sync_file_range",
    "ftruncate": "ftruncate truncate",
    "fallocate": "fallocate",
    "open": "open openat openat2 creat",
    "rename": "rename renameat renameat2",
    "link": "link linkat symlink symlinkat",
    "unlink": "unlink unlinkat rmdir",
    "mkdir": "mkdir mkdirat",
}
KIND = {call: kind for kind, calls in KINDS.items() for call in calls.split()}
BY_DESCRIPTOR = ("sendfile", "fsync", "fdatasync", "syncfs", "sync_file_range", "ftruncate", "fallocate")


def strace_command(output):
    # "?": no error where the machine lacks the call.
    calls = ",".join("?" + call for call in [*KIND, "chdir", "fchdir"])
    return ["strace", "-f", "-qq", "-y", "-s", "0", "-o", output, "-e", "trace=" + calls]


def changing_calls(trace, below, folder, without=None):
    """The kind of each call of a trace that changes an entry below one folder, and not below another.

    `folder` is the command's working folder.
    """
    kinds, folders = [], {}
    with open(trace, errors="replace") as file:
        for line in file:
            found = re.match(r"(?:\[pid\s+)?(\d+)\]?\s+(\w+)\((.*)", line)
            if not found:
                continue
            thread, call, rest = found.groups()
            if call in ("chdir", "fchdir") and " = 0" in rest:
                to = re.match(r'"((?:[^"\\]|\\.)*)"|\d+<([^>]*)>', rest)
                if to:
                    folders[thread] = os.path.normpath(os.path.join(folders.get(thread, folder), to[1] or to[2]))
            if call not in KIND or "EISDIR" in rest or (call == "ioctl" and "FICLONE" not in rest):
                continue
            if KIND[call] == "open" and call != "creat" and not re.search(r"O_(WRONLY|RDWR|CREAT|TRUNC|TMPFILE)", rest):
                continue
            paths = paths_of(call, rest, folders.get(thread, folder), below)
            paths = [path for path in paths if path == below or path.startswith(below + "/")]
            if paths and not (without and all(path.startswith(without + "/") for path in paths)):
                kinds.append(KIND[call])
    return kinds


def paths_of(call, rest, folder, below):
    descriptors = re.findall(r"(?:^|[ (])-?\d+<([^>]*)>", rest)
    if call == "sync":
        return [below]
    if call == "copy_file_range":
        return descriptors[1:2]
    if call in BY_DESCRIPTOR or KIND[call] == "write":
        # Standard streams are left alone.
        return [] if KIND[call] == "write" and re.match(r"[012]<", rest) else descriptors[:1]
    named = re.findall(r'(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"', rest)
    return [name if name.startswith("/") else os.path.join(at or folder, name) for at, name in named]


def tally(kinds):
    return " ".join(f"{kind} {kinds.count(kind)}" for kind in sorted(set(kinds)))

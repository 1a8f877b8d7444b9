"""Shared by the subjects of the hostile tests: a jail, a library in it, and the result of a command.

Nothing hostile runs outside of the jail: a mount namespace in which only one scratch folder is writable. If
no such namespace can be made, the tests refuse to run.
"""
import os, shutil, signal, stat, subprocess, tempfile

# Mounts are made read-only one by one; what cannot be is no place to write to either.
ENTER = r"""
set -e
mount --make-rprivate /
mount --bind "$0" "$0"
for m in $(cut -d' ' -f2 /proc/self/mounts | sort -u); do
    case "$m" in "$0"|"$0"/*|/proc|/proc/*|/sys/*|/dev|/dev/*) ;; *) mount -o remount,bind,ro "$m" 2>/dev/null || true ;; esac
done
if touch /etc/.jail-probe 2>/dev/null; then echo 'the jail leaks' >&2; exit 99; fi
cd "$0"; exec "$@"
"""


class Jail:
    """A scratch folder, the only one that commands can write."""

    def __init__(self, sbfs):
        self.sbfs = os.path.abspath(sbfs)
        self.path = os.path.realpath(tempfile.mkdtemp(prefix="hostile-"))
        self.library = os.path.join(self.path, "library")
        self.desk = os.path.join(self.path, "desk")
        os.mkdir(self.desk)
        self.environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": os.path.join(self.path, "home"), "TZ": "UTC",
            "LANG": "C.UTF-8", "SBFS_OFFLINE": "1", "SBFS_LIBRARY": self.library, "XDG_STATE_HOME": os.path.join(self.path, "state"),
            "XDG_CONFIG_HOME": os.path.join(self.path, "config"), "XDG_CACHE_HOME": os.path.join(self.path, "cache"),
            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null",
        }

    def __enter__(self):
        if self.run("true", seconds=20).status != 0:
            raise SystemExit("no read-only mount namespace can be made here, and outside of one nothing hostile is run")
        self.run(self.sbfs, "init")
        return self

    def __exit__(self, *_):
        subprocess.run(["chmod", "-R", "u+rwx", self.path], stderr=subprocess.DEVNULL)
        shutil.rmtree(self.path, ignore_errors=True)

    def run(self, *words, seconds=60, input=b""):
        """Runs a command in the jail; a run above `seconds` is killed and has no status."""
        unshare = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-Urm"]
        process = subprocess.Popen(
            [*unshare, "sh", "-c", ENTER, self.path, "sh", "-c", 'cd desk; exec "$@"', "sh", *words], env=self.environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        try:
            out, err = process.communicate(input, timeout=seconds)
            return Run(process.returncode, out, err)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            return Run(None, out, err)

    def files(self, *without):
        """Kind, mode and content of everything in the scratch folder, by path; `without` are folders to skip."""
        found = {}
        for folder, folders, files in os.walk(self.path):
            folders[:] = [name for name in folders if os.path.join(folder, name) not in without]
            for name in folders + files:
                path = os.path.join(folder, name)
                status = os.lstat(path)
                content = b""
                if stat.S_ISREG(status.st_mode):
                    with open(path, "rb") as file:
                        content = file.read()
                found[os.path.relpath(path, self.path)] = (status.st_mode, content)
        return found


class Run:
    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    @property
    def text(self):
        return (self.out + self.err).decode("utf-8", "replace")


class Failures:
    """Counts cases, and names those that failed."""

    def __init__(self):
        self.cases, self.failed = 0, []

    def case(self, name, reasons):
        self.cases += 1
        if reasons:
            self.failed.append(name)
            print("FAIL %s: %s" % (name, "; ".join(reasons)[:600]), flush=True)


def raw_controls(data):
    """Control characters that affect a terminal, except line ends and tabs."""
    return [byte for byte in data if byte < 0x20 and byte not in (0x09, 0x0A) or byte == 0x7F]

#!/usr/bin/env python3
"""The daemon among other programs, hostile files and faults of the machine.

Each case makes a library in a scratch folder, starts `sbfs watch`, lets something happen to it, and says what must hold then. Needs root and a
mount namespace of its own: Scripts/watch-faults.
"""
import argparse, json, os, random, shutil, signal, socket, stat, subprocess, sys, tempfile, threading, time, traceback

PATIENCE = 60
CASES = []


def case(function):
    CASES.append(function)
    return function


class Failure(Exception):
    pass


def must(condition, *what):
    if not condition:
        raise Failure(" ".join(str(one) for one in what))


class Bench:
    """A person's home, a library, and the commands typed there."""

    def __init__(self, program, folder, user=None):
        self.program, self.folder, self.user = program, folder, user
        self.library = os.path.join(folder, "library")
        self.environment = dict(
            os.environ, HOME=folder + "/home", XDG_CONFIG_HOME=folder + "/home/config", XDG_STATE_HOME=folder + "/home/state",
            XDG_CACHE_HOME=folder + "/home/cache", XDG_RUNTIME_DIR=folder + "/run", SBFS_OFFLINE="1", SBFS_LIBRARY=self.library,
            TZ="UTC", LANG="C.UTF-8")
        for name in ("home", "run"):
            os.makedirs(os.path.join(folder, name), exist_ok=True)
            self.give(os.path.join(folder, name))
        self.give(folder)
        self.daemon = None

    def give(self, path):
        if self.user:
            os.chown(path, self.user, self.user)

    def words(self, words):
        drop = ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups"] if self.user else []
        return drop + [self.program] + list(words)

    def run(self, *words, input="", status=0):
        done = subprocess.run(self.words(words), env=self.environment, input=input, text=True, capture_output=True, timeout=PATIENCE * 4)
        if status is not None:
            must(done.returncode == status, words, "ended with", done.returncode, done.stdout, done.stderr)
        return done

    def add(self, text):
        return self.run("add", "-", "--type", "snippet", input=text).stdout.strip()

    def item(self, id):
        return f"{self.library}/items/{id[-2:]}/{id}"

    def start(self, waits=True):
        self.log = open(self.folder + "/log", "ab")
        self.daemon = subprocess.Popen(self.words(["watch", "--foreground"]), env=self.environment, stderr=self.log)
        if waits:
            self.until(lambda: self.status().get("phase") == "ready", "ready")

    def status(self):
        done = self.run("status", "--json", status=None)
        return json.loads(done.stdout) if done.returncode in (0, 3) else {}

    def until(self, condition, what, patience=PATIENCE):
        end = time.monotonic() + patience
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.05)
        raise Failure(f"never {what}; the daemon: {self.daemon and self.daemon.poll()}; its log:\n{self.read_log()}")

    def read_log(self):
        with open(self.folder + "/log", errors="replace") as log:
            return "".join(log.readlines()[-20:])

    def finds(self, word, *ids):
        return sorted(self.run("list", "--ids", word, status=None).stdout.split()) == sorted(ids)

    @staticmethod
    def shown(view):
        """The folder of a full view that holds each item once."""
        return view + "/StuffBucket/All"

    def is_alive(self):
        return self.daemon.poll() is None

    def ended(self, patience=PATIENCE):
        try:
            return self.daemon.wait(patience)
        except subprocess.TimeoutExpired:
            raise Failure("the daemon goes on; its log:\n" + self.read_log())

    def stop(self):
        if self.daemon and self.is_alive():
            self.daemon.send_signal(signal.SIGTERM)
            must(self.ended() == 0, "the daemon ended with", self.daemon.poll(), self.read_log())

    def sound(self):
        self.run("check")

    def end(self):
        if self.daemon and self.is_alive():
            self.daemon.kill()
            self.daemon.wait()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())


def mount(*words):
    subprocess.run(["mount", *words], check=True)


@case
def writing_commands(bench):
    "a daemon and eight writing commands"
    bench.start()

    # Each writer makes items, then changes each of them in turn, through the program and as an editor does.
    writers, rounds = 8, 5
    wanted = {}

    def work(number):
        for turn in range(rounds):
            name = f"writer{number}x{turn}"
            id = bench.add(f"{name} common\n")
            bench.run("tag", "add", id, f"tag-{name}")
            bench.run("title", id, f"Title of {name}")
            bench.run("tag", "add", id, f"second-{name}")
            path = bench.item(id) + "/text.md"
            write(path + ".new", f"{name} common edit{name}\n")
            os.rename(path + ".new", path)
            wanted[id] = name

    threads = [threading.Thread(target=work, args=(number,)) for number in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    must(len(wanted) == writers * rounds, "a writer failed:", len(wanted))

    def looked_for():
        """Each of the 200 edits, in the files and in the index."""
        for id, name in wanted.items():
            item = json.load(open(bench.item(id) + "/item.json"))
            text = open(bench.item(id) + "/text.md").read()
            must(item.get("title") == f"Title of {name}", name, "title", item)
            must(item.get("tags") == [f"tag-{name}", f"second-{name}"], name, "tags", item)
            must(text == f"{name} common edit{name}\n", name, "text", text)
            for query in (name, f"title:{name}", f"tag:tag-{name}", f"edit{name}", f"tag:second-{name}"):
                must(bench.finds(query, id), name, "is not found by", query)
        must(len(bench.run("list", "--ids", "common").stdout.split()) == writers * rounds, "in all")

    looked_for()
    bench.stop()
    looked_for()
    bench.sound()


@case
def two_daemons(bench):
    "two daemons of one library"
    bench.add("soup")
    bench.start()
    second = bench.run("watch", "--foreground", status=6)
    must("watches this library already" in second.stderr and str(bench.daemon.pid) in second.stderr, second.stderr)
    must(bench.is_alive() and bench.status()["process"] == bench.daemon.pid, "the first one")
    bench.daemon.kill()
    bench.daemon.wait()
    bench.start()
    bench.stop()


@case
def moved(bench):
    "a library that is renamed, and one that another takes the place of"
    bench.add("soup")
    bench.start()
    os.rename(bench.library, bench.library + "-aside")
    must(bench.ended() == 1 and "was moved, removed or unmounted" in bench.read_log(), bench.read_log())
    bench.run("init", bench.library)
    other = bench.add("stew")
    bench.start()
    must(bench.finds("stew", other) and bench.finds("soup"), "the new library")
    os.rename(bench.library, bench.library + "-other")
    os.rename(bench.library + "-aside", bench.library)
    must(bench.ended() == 1, "replaced at once", bench.read_log())


@case
def unmounted(bench):
    "a library whose disk is unmounted"
    inner = bench.folder + "/disk"
    os.mkdir(inner)
    mount("-t", "tmpfs", "-o", "size=64m", "tmpfs", inner)
    bench.library = bench.environment["SBFS_LIBRARY"] = inner + "/library"
    bench.run("init", bench.library)
    soup = bench.add("soup")
    bench.start()
    # A mount elsewhere is no news for this library.
    os.mkdir(bench.folder + "/elsewhere")
    mount("-t", "tmpfs", "tmpfs", bench.folder + "/elsewhere")
    must(bench.finds("soup", soup) and bench.is_alive(), "after a mount elsewhere", bench.read_log())
    # A lazy unmount makes no event for a program that has files open there.
    subprocess.run(["umount", "-l", inner], check=True)
    must(bench.ended() == 1 and "was moved, removed or unmounted" in bench.read_log(), bench.read_log())
    done = bench.run("search", "soup", status=None)
    must(done.returncode not in (0, 3) and done.stdout == "" and done.stderr.count("\n") == 1, done)
    mount("-t", "tmpfs", "tmpfs", inner)
    bench.run("init", bench.library)
    bench.start()
    bench.stop()


@case
def many_gone(bench):
    "a library that loses more than a fifth of its items at once"
    ids = [bench.add(f"item {number}") for number in range(40)]
    bench.start()
    os.mkdir(bench.folder + "/away")
    for id in ids[:20]:
        os.rename(bench.item(id), f"{bench.folder}/away/{id}")
    must(bench.ended() == 1 and "are gone at once" in bench.read_log(), bench.read_log())
    for id in ids[:20]:
        os.rename(f"{bench.folder}/away/{id}", bench.item(id))
    bench.start()
    must(len(bench.run("list", "--ids", "item").stdout.split()) == 40, "items")
    bench.stop()


@case
def read_only(bench):
    "a library that becomes read-only, and writable again"
    id = bench.add("soup")

    def allow(folder_mode, file_mode):
        for folder, _, files in os.walk(bench.library):
            os.chmod(folder, folder_mode)
            for name in files:
                os.chmod(os.path.join(folder, name), file_mode)

    bench.start()
    allow(0o555, 0o444)
    bench.run("add", "-", input="x", status=None)
    write(bench.item(id) + "/text.md", "peas")
    must(bench.finds("peas", id), "reading")
    must(bench.is_alive(), "while it is read-only", bench.read_log())
    allow(0o755, 0o644)
    write(bench.item(id) + "/text.md", "stew")
    bench.until(lambda: bench.finds("stew", id), "found after it is writable again")
    other = bench.add("beans")
    must(bench.finds("beans", other), "writing again")
    bench.stop()
    allow(0o555, 0o444)
    done = bench.run("watch", "--once", status=None)
    must(done.returncode in (0, 1, 7) and len(done.stderr.splitlines()) <= 3, "from the start", done)
    allow(0o755, 0o644)


read_only.user = 65534


def strange(folder):
    """Files that no program should trip over."""
    os.makedirs(folder, exist_ok=True)
    base = folder.encode() + b"/"
    os.symlink(b"loop", base + b"loop")
    os.symlink(b"..", base + b"up")
    os.symlink(b"/etc/passwd", base + b"outside")
    os.mkfifo(base + b"pipe")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind((os.path.relpath(folder) + "/sock").encode())
    write(os.path.join(folder, "n" * 255), "long name\n")
    for name in (b"bad\xff\xfe.txt", b"two\nlines.txt", b"\x1b[31mred.txt", b"e\xcc\x81.txt", b"\xc3\xa9.txt"):
        with open(base + name, "wb") as file:
            file.write(b"words of a strange file\n")
    return listener


@case
def strange_names(bench):
    "symlink loops, FIFOs, sockets and strange names in library, inbox and view"
    ids = [bench.add(f"# Soup {number}\n") for number in range(3)]
    view = bench.folder + "/view"
    bench.run("view", "add", view, "--profile", "full")
    os.chdir(bench.folder)
    keep = [strange(bench.item(ids[0])), strange(bench.item(ids[0]) + "/document"), strange(bench.library + "/items"), strange(bench.library)]
    bench.start()
    keep += [strange(bench.item(ids[1])), strange(bench.library + "/items/" + ids[1][-2:]), strange(bench.library + "/inbox"),
             strange(bench.library + "/inbox/sub"), strange(view), strange(bench.shown(view)), strange(bench.library + "/tags"),
             strange(bench.library + "/smart")]
    write(bench.item(ids[2]) + "/text.md", "# Stew\n")
    bench.until(lambda: bench.finds("stew", ids[2]), "found")
    bench.until(lambda: any("Stew" in name for name in os.listdir(bench.shown(view))), "in the view")
    bench.until(lambda: len(bench.run("list", "--ids", "strange", status=None).stdout.split()) >= 5, "taken in from the inbox")
    must(bench.is_alive(), "alive")
    must(os.path.exists(view + "/" + "n" * 255) and stat.S_ISFIFO(os.lstat(bench.shown(view) + "/pipe").st_mode), "a person's files in the view")
    must(not any(path for path in os.listdir(bench.shown(view)) if path == "passwd"), "a link that leads out")
    bench.stop()


@case
def always_changing(bench):
    "a file that changes all the time"
    busy, other = bench.add("busy"), bench.add("other")
    bench.start()
    ends = threading.Event()

    def change():
        number = 0
        while not ends.wait(0.01):
            number += 1
            write(bench.item(busy) + "/text.md", f"busy version{number // 100}")

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for number in range(3):
            write(bench.item(other) + "/text.md", f"other{number}")
            bench.until(lambda: bench.finds(f"other{number}", other), "found beside it")
        bench.until(lambda: bench.finds("version2", busy), "found itself")
    finally:
        ends.set()
        thread.join()
    write(bench.item(busy) + "/text.md", "calm")
    bench.until(lambda: bench.finds("calm", busy), "found at rest")
    bench.stop()


@case
def denied(bench):
    "permission denied on one item"
    must(bench.user, "needs another user")
    ids = [bench.add(f"item {number}") for number in range(3)]
    bench.start()
    os.chown(bench.item(ids[0]), 0, 0)
    os.chmod(bench.item(ids[0]), 0o700)
    write(bench.item(ids[1]) + "/text.md", "stew")
    bench.until(lambda: bench.finds("stew", ids[1]), "found beside it")
    bench.until(lambda: bench.status().get("faults") == 1, "a fault in the status")
    must(bench.finds("item", ids[0], ids[2]), "its last good version is not found")
    bench.stop()
    bench.start()
    must(bench.is_alive() and bench.status().get("faults") == 1, "from the start", bench.status())
    bench.give(bench.item(ids[0]))
    # A folder that may not be watched is compared every minute.
    bench.until(lambda: bench.status().get("faults") == 0, "readable again", patience=180)
    bench.stop()


denied.user = 65534


@case
def killed(bench):
    "SIGKILL at random moments, then a restart: the same end state"
    ids = [bench.add(f"# Title {number}\n") for number in range(20)]
    view = bench.folder + "/view"
    bench.run("view", "add", view, "--profile", "full")
    dropped = 0
    for turn in range(bench.kills):
        bench.start(waits=random.random() < 0.7)
        for _ in range(random.randrange(1, 5)):
            kind = random.randrange(4)
            id = random.choice(ids)
            if kind == 0:
                write(bench.item(id) + "/text.md", f"# Title of turn {turn}\n")
            elif kind == 1:
                write(f"{bench.library}/inbox/drop{dropped}.txt", f"dropped number{dropped}\n")
                dropped += 1
            elif kind == 2:
                ids.append(bench.add(f"# New in turn {turn}\n"))
            else:
                bench.run("tag", id, f"+turn{turn}", status=None)
            time.sleep(random.random() * 0.3)
        time.sleep(random.random() * 3)
        bench.daemon.kill()
        bench.daemon.wait()
    bench.start()
    bench.until(lambda: not [n for n in os.listdir(bench.library + "/inbox") if n.startswith("drop")], "taken in")
    bench.until(lambda: len(bench.run("list", "--ids", "dropped", status=None).stdout.split()) == dropped, f"each of {dropped} once")
    total = len(ids) + dropped
    bench.until(lambda: len(bench.run("list", "--ids").stdout.split()) == total, f"{total} items")
    bench.until(lambda: len([n for n in os.listdir(bench.shown(view)) if not n.startswith(".")]) == total, "whole view")
    bench.stop()
    bench.run("view", "refresh")
    before = sorted(os.listdir(bench.shown(view)))
    shutil.rmtree(bench.library + "/.sbfs/index")
    bench.run("view", "refresh")
    must(sorted(os.listdir(bench.shown(view))) == before, "the view differs from that of a new index")
    must(len(bench.run("list", "--ids").stdout.split()) == total, "items")
    must(not [n for n in os.listdir(bench.library + "/.sbfs/staging")], "staging is not empty")


@case
def full_disk(bench):
    "a full disk: index and views fall behind and catch up, items stay untouched"
    disks = {}
    for name, size in (("lib", "24m"), ("shown", "6m")):
        disks[name] = bench.folder + "/" + name
        os.mkdir(disks[name])
        mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs", disks[name])
    bench.library = bench.environment["SBFS_LIBRARY"] = disks["lib"] + "/library"
    bench.run("init", bench.library)
    ids = [bench.add(f"# Soup {number}\n" + "word " * 200) for number in range(20)]
    view = disks["shown"] + "/view"
    bench.run("view", "add", view, "--profile", "full", "--mode", "copy")
    bench.start()

    def fill(folder):
        with open(folder + "/filler", "wb", 0) as file:
            try:
                while True:
                    file.write(b"x" * 4096)
            except OSError:
                pass

    # The view's disk.
    fill(disks["shown"])
    write(bench.item(ids[0]) + "/text.md", "# Stew\n" + "longer " * 4000)
    bench.until(lambda: bench.finds("stew", ids[0]), "found while the view's disk is full")
    time.sleep(2)
    must(bench.is_alive(), "with a full view", bench.read_log())
    os.unlink(disks["shown"] + "/filler")
    bench.until(lambda: any("Stew" in name for name in os.listdir(bench.shown(view))), "the view caught up", 150)
    # The library's disk: another program writes the text in place.
    contents = {id: open(bench.item(id) + "/item.json", "rb").read() for id in ids}
    fill(disks["lib"])
    write(bench.item(ids[1]) + "/text.md", "# Peas\n")
    write(f"{bench.library}/inbox/dropped.txt", b"")
    time.sleep(3)
    must(bench.is_alive(), "with a full library", bench.read_log())
    os.unlink(disks["lib"] + "/filler")
    bench.until(lambda: bench.finds("peas", ids[1]), "the index caught up", 150)
    must({id: open(bench.item(id) + "/item.json", "rb").read() for id in ids} == contents, "an item changed")
    bench.stop()


@case
def inbox_mount(bench):
    "an inbox on a mount of its own"
    bench.add("soup")
    inbox = bench.library + "/inbox"
    os.makedirs(inbox, exist_ok=True)
    mount("-t", "tmpfs", "tmpfs", inbox)
    bench.start()
    write(inbox + "/page.txt", "dropped stew\n")
    write(inbox + "/empty.pdf", "")
    bench.until(lambda: len(bench.run("list", "--ids", "stew", status=None).stdout.split()) == 1, "taken in")
    bench.until(lambda: os.path.exists(inbox + "/rejected/empty.pdf"), "rejected")
    must(not os.path.exists(inbox + "/page.txt"), "left in the inbox")
    bench.stop()
    bench.sound()
    subprocess.run(["umount", inbox], check=True)


@case
def inbox_folder_mount(bench):
    "a sub-folder of the inbox on a mount of its own"
    inbox = bench.library + "/inbox"
    os.makedirs(inbox + "/Work/Deep", exist_ok=True)
    mount("-t", "tmpfs", "tmpfs", inbox + "/Work")
    os.makedirs(inbox + "/Work/Deep")
    bench.start()
    write(inbox + "/Work/page.txt", "dropped stew\n")
    write(inbox + "/Work/Deep/page.txt", "dropped beans\n")
    write(inbox + "/Work/empty.pdf", "")
    write(inbox + "/Work/Deep/empty.pdf", "")
    for word in ("stew", "beans"):
        bench.until(lambda: len(bench.run("list", "--ids", word, status=None).stdout.split()) == 1, "taken in: " + word)
    must(bench.run("list", "--ids", "collection:Work/Deep", "beans", status=None).stdout.strip(), "in its collection")
    bench.until(lambda: len([n for n in os.listdir(inbox + "/rejected") if n.endswith(".reason.json")]) == 2, "rejected")
    bench.until(lambda: os.listdir(inbox + "/Work") == ["Deep"] and os.listdir(inbox + "/Work/Deep") == [], "nothing left in the inbox")
    must(len(os.listdir(inbox + "/rejected")) == 4, os.listdir(inbox + "/rejected"))
    bench.stop()
    bench.sound()
    subprocess.run(["umount", inbox + "/Work"], check=True)


@case
def views_refused(bench):
    "a view inside the library, and the library inside a view"
    bench.add("soup")
    for place in (bench.library + "/view", bench.library, bench.library + "/items/view", bench.library + "/inbox"):
        before = sorted(os.listdir(bench.library))
        done = bench.run("view", "add", place, status=None)
        must(done.returncode not in (0, 101) and done.stderr.count("\n") == 1, place, done)
        must(sorted(os.listdir(bench.library)) == before, place, "left something")
    os.symlink(bench.library, bench.folder + "/alias")
    must(bench.run("view", "add", bench.folder + "/alias/view", status=None).returncode != 0, "through a link")
    outer = bench.folder + "/StuffBucket"
    bench.library = bench.environment["SBFS_LIBRARY"] = outer + "/Documents/library"
    os.makedirs(outer + "/Documents")
    bench.run("init", bench.library)
    for profile in ("documents", "full"):
        done = bench.run("view", "add", bench.folder, "--profile", profile, status=None)
        must(done.returncode not in (0, 101) and done.stderr.count("\n") == 1, "around the library", done)
    must(os.listdir(outer) == ["Documents"] and os.listdir(outer + "/Documents") == ["library"], "left something")


@case
def hostile_titles(bench):
    "hostile titles in a view"
    view = bench.folder + "/view"
    bench.run("view", "add", view, "--profile", "full")
    titles = ["../../escape", "/etc/passwd", "a/b", "..", ".", "", " ", "\u202egnp.exe", "\x1b[31mred\x07", "x" * 5000, "CON", "nul.txt",
              "a\x00b", "line\nbreak", "\u0301" * 300, "-rf", "~root", "\ufeff", "a" * 199 + "é", "trailing. ", "\\..\\x", "Soup", "Soup", "soup"]
    for title in titles:
        bench.add("body")
    ids = bench.run("list", "--ids").stdout.split()
    bench.start()
    for id, title in zip(ids, titles):
        write(bench.item(id) + "/item.json", json.dumps({"title": title, "tags": [title, "../t/../../x", "collection:../../c"]}))
    bench.until(lambda: len([n for n in os.listdir(bench.shown(view)) if not n.startswith(".")]) == len(titles), "all in the view")
    bench.until(lambda: bench.status().get("waiting") == 0, "at rest")
    for folder, folders, files in os.walk(view.encode()):
        for name in folders + files:
            text = name.decode()
            must(len(name) <= 255 and not any(ord(c) < 32 or ord(c) == 127 or "\u202a" <= c <= "\u202e" for c in text), repr(text))
            path = os.path.join(folder, name)
            if os.path.islink(path):
                must(os.path.realpath(path).startswith(view.encode() + b"/"), path, "leads out")
    allowed = {"home", "run", "library", "view", "log"}
    must(set(os.listdir(bench.folder)) <= allowed, os.listdir(bench.folder))
    bench.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sbfs", required=True, help="the program")
    parser.add_argument("--kills", type=int, default=20, help="how often the daemon is killed (20)")
    parser.add_argument("--seed", type=int, help="of the random moments")
    parser.add_argument("--folder", default="/var/tmp", help="where scratch folders are made; not on tmpfs")
    parser.add_argument("case", nargs="*", help="names of cases; all without any")
    options = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("needs root, for mounts and another user")
    seed = options.seed if options.seed is not None else random.randrange(1 << 30)
    failed = 0
    unknown = set(options.case) - {function.__name__ for function in CASES}
    if unknown:
        sys.exit(f"no case {', '.join(sorted(unknown))}")
    for function in CASES:
        if options.case and function.__name__ not in options.case:
            continue
        random.seed(seed)
        folder = tempfile.mkdtemp(prefix="watch-faults-", dir=options.folder)
        os.chmod(folder, 0o755)
        bench = Bench(os.path.abspath(options.sbfs), folder, getattr(function, "user", None))
        bench.kills = options.kills
        begun = time.monotonic()
        try:
            bench.run("init", bench.library)
            function(bench)
            print(f"ok    {function.__doc__} ({time.monotonic() - begun:.0f} s)", flush=True)
        except Exception as error:
            failed += 1
            what = error if isinstance(error, Failure) else traceback.format_exc()
            print(f"FAIL  {function.__name__}: {function.__doc__} (seed {seed}): {what}", flush=True)
        finally:
            bench.end()
            os.chdir("/")
            for line in reversed(open("/proc/self/mountinfo").read().splitlines()):
                place = line.split(" ")[4]
                if place.startswith(folder):
                    subprocess.run(["umount", "-l", place])
            shutil.rmtree(folder.encode(), ignore_errors=True)
    sys.exit(1 if failed else 0)


main()

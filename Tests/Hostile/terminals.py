"""Text of a library on its way to a terminal, and back to a shell.

Every character that a terminal obeys or that nobody sees, in every field: no command prints it raw, neither to a terminal
nor into a pipe. Names that mean something to a shell, completed with Tab in bash, zsh and fish, in each way to quote: nothing
of a name is run, and sbfs receives exactly that name.
"""
import json, os, pty, re, select, shutil, signal, time

from common import ENTER, Failures, Jail

ID = "01a19b7c-a680-7000-8f3e-5d2c9b7a61c4"
TEXTS = {
    "a title of the terminal": "\x1b]0;own\x07", "clearing": "\x1b[2J\x1b[H", "an answer of the terminal": "\x1b[6n\x1b[c", "the clipboard": "\x1b]52;c;AAAA\x07",
    "a link": "\x1b]8;;http://evil.test/\x1b\\here\x1b]8;;\x1b\\", "a C1 control": "\x9b31mred", "a carriage return": "good\rbad", "backspaces": "good\b\b\b\bbad",
    "a bell": "\x07", "DEL": "a\x7fb", "NUL": "a\x00b", "right to left": "\u202egnp.exe", "an isolate": "\u2066a\u2069", "marks of direction": "\u200f\u200e\u061c",
    "zero width": "pay\u200bpal\u200c\u200d\u2060", "a byte order mark": "\ufeffa", "tags": "a\U000e0041\U000e0042", "a language tag": "\U000e0001",
    "selectors": "a\ufe0f\ufe0f\U000e0101", "line separators": "a\u2028b\u2029c", "soft hyphens": "a\u00adb", "fillers": "a\u3164\u115f\u180eb", "annotations": "\ufff9a\ufffab\ufffb",
    "old shaping": "\u206a\u206f", "a forged line": "a\nsbfs: trashed 7 items", "shift out": "\x0e\x0f", "DCS": "\x1bP+q544e\x1b\\", "APC": "\x1b_Ga=T\x1b\\", "invalid UTF-8": None,
}
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]")
COMMANDS = [["list"], ["list", "--format", "table"], ["list", "--format", "card"], ["list", "--json"], ["list", "--ndjson"], ["show", ID],
            ["show", ID, "--json"], ["search", "--facets", "hostile"], ["search", "--facets", "--format", "table", "hostile"], ["search", "--ndjson", "--facets", "hostile"],
            ["suggest", "hostile"], ["complete", "2", "sbfs", "show", ""], ["tags"], ["collections"], ["collections", "--json"], ["stats"], ["stats", "--json"], ["check", "--notes"],
            ["trash", ID, "--dry-run"], ["log"], ["preview", ID], ["read", ID], ["links", ID], ["bulk", "--print", "type:link"], ["recent"], ["tag", "add", ID, "x"], ["undo"]]
PAYLOADS = ["$(touch P1)", "`touch P2`", "; touch P3;", "& touch P4 &", "| touch P5 |", "> P6", "'; touch P7; '", '"; touch P8; "', "it's $HOME", '"double"', "!! !touch", "* ? [a-z] {a..b}",
            "\\ back \\n", "<(touch P9)", "end'", 'end"', "end\\", "=ls", "# x", "~root"]
# The mark before the first letters of a name.
QUOTES = {"bare": "", "double": '"', "single": "'"}
SHELLS = {"bash": ["bash", "--rcfile", "rc", "-i"], "zsh": ["zsh", "-i"], "fish": ["fish", "-i", "-C", "set fish_greeting; sbfs completion fish | source"]}


def plant(jail, id, members, text=b"words\n"):
    folder = os.path.join(jail.library, "items", id[-2:], id)
    os.makedirs(folder)
    with open(folder + "/item.json", "w", errors="surrogateescape") as file:
        json.dump(members, file)
    with open(folder + "/text.md", "wb") as file:
        file.write(text)
    return folder


def plant_text(jail, text):
    # The lines of a text are its own.
    raw = b"hostile \xff\x9b\xc0\xaf words" if text is None else ("hostile " + text.replace("\n", " ")).encode()
    shown = "hostile" if text is None else "hostile " + text
    fields = {key: shown for key in ("title", "linkTitle", "linkAuthor", "linkSite", "description", "aiSummary", "documentName", "isPinned", shown)}
    folder = plant(jail, ID, {**fields, "type": "link", "linkURL": "https://example.org/" + shown, "tags": [shown, "collection:%s/%s" % (shown, shown)]}, raw)
    os.mkdir(folder + "/document")
    name = raw.replace(b"/", b"").replace(b"\x00", b"").replace(b"\n", b"")
    open(folder.encode() + b"/document/" + name, "w").close()
    with open(folder + "/page.html", "wb") as file:
        file.write(b"<title>" + raw + b"</title><p>" + raw + b"<a href='https://example.org/" + raw + b"'>" + raw + b"</a>")


def faults(data, command):
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return ["%s: invalid UTF-8" % command]
    found = sorted({"U+%04X" % ord(each) for each in HIDDEN.findall(text)})
    if re.search("^sbfs: trashed 7 items", text, re.M):
        found.append("a forged line")
    return ["%s: %s" % (command, ", ".join(found))] if found else []


def try_text(jail, text):
    plant_text(jail, text)
    reasons = []
    for words in COMMANDS:
        for screen in ("pipe", "terminal"):
            whole = [jail.sbfs, "--color", "never", *words] if screen == "terminal" else [jail.sbfs, *words]
            if screen == "terminal":
                # A terminal of its own; its line ends are CR LF.
                run = jail.run("script", "-qec", "TERM=xterm SBFS_PAGER=cat " + " ".join("'%s'" % word for word in whole), "/dev/null", seconds=30)
            else:
                run = jail.run(*whole, seconds=30)
            if run.status not in range(10):
                reasons.append("%s: exit %s: %r" % (words[0], run.status, run.text[-200:]))
            out = run.out.replace(b"\r\n", b"\n") if screen == "terminal" else run.out
            reasons += faults(out, "%s, %s" % (words[0], screen)) + faults(run.err, "%s, errors" % words[0])
    return reasons


class Session:
    """A shell at a terminal in the jail. Its `sbfs` records the words that it receives."""

    def __init__(self, jail, shell):
        self.record = os.path.join(jail.desk, "record")
        program = os.path.join(jail.desk, "bin/sbfs")
        os.makedirs(os.path.dirname(program), exist_ok=True)
        with open(program, "w") as file:
            file.write('#!/bin/sh\ncase "$1" in complete|completion) exec "%s" "$@" ;; esac\n' % jail.sbfs
                       + '{ for word; do printf "%%s\\036" "$word"; done; printf "\\035"; } >> "%s"\n' % self.record)
        os.chmod(program, 0o755)
        with open(os.path.join(jail.desk, "rc"), "w") as file:
            file.write("PS1='> '\nbind 'set bell-style none'\nsource <(sbfs completion bash)\n")
        with open(os.path.join(jail.desk, ".zshrc"), "w") as file:
            file.write("PS1='> '\nautoload -Uz compinit\ncompinit -u -D\nsource <(sbfs completion zsh)\n")
        environment = dict(jail.environment, TERM="xterm", ZDOTDIR=jail.desk, HISTFILE="/dev/null", PATH=jail.desk + "/bin:" + jail.environment["PATH"])
        os.makedirs(environment["HOME"], exist_ok=True)
        words = ["unshare", "-m" if os.geteuid() == 0 else "-Urm", "sh", "-c", ENTER, jail.path, "sh", "-c", 'cd desk; exec "$@"', "sh", *SHELLS[shell]]
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execvpe(words[0], words, environment)

    def words(self):
        """The words of the last command, and how many there were."""
        data = open(self.record, "rb").read().split(b"\x1d")[:-1] if os.path.exists(self.record) else []
        return [word.decode("utf-8", "replace") for word in data[-1].split(b"\x1e")[:-1]] if data else [], len(data)

    def read(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.terminal], [], [], left)[0]:
                return
            try:
                data = os.read(self.terminal, 65536)
            except OSError:
                return
            # fish asks what the terminal is, and waits for the answer.
            if b"\x1b[c" in data or b"\x1b[0c" in data:
                os.write(self.terminal, b"\x1b[?62c")

    def enter(self, line, patience=20):
        """Types a line; whether a command was run."""
        before = self.words()[1]
        os.write(self.terminal, line.encode())
        end = time.monotonic() + patience
        while time.monotonic() < end:
            self.read(0.05)
            if self.words()[1] > before:
                return True
        return False

    def close(self):
        os.kill(self.process, signal.SIGKILL)
        os.close(self.terminal)
        os.waitpid(self.process, 0)


def try_shell(jail, shell, quote):
    names = ["q%s%s %s" % (chr(97 + number // 26), chr(97 + number % 26), payload) for number, payload in enumerate(PAYLOADS)]
    for number, name in enumerate(names):
        plant(jail, "01a19b7c-a680-7000-8f3e-5d2c9b7a%x" % (0x1000 + number), {"type": "snippet", "title": name})
    jail.run(jail.sbfs, "reindex")
    before = set(os.listdir(jail.desk))
    session = Session(jail, shell)
    reasons = []
    try:
        if not any(session.enter("sbfs ready\r", 10) for _ in range(5)):
            return ["%s runs no command" % shell]
        for name in names:
            if not session.enter("sbfs show %s%s\t\r" % (QUOTES[quote], name[:3])):
                reasons.append("no command was run for %r" % name)
                session.enter("\x03", 1)
            elif session.words()[0] != ["show", name]:
                reasons.append("%r gave %r" % (name, session.words()[0]))
    finally:
        session.close()
    made = [name for name in os.listdir(jail.desk) if re.fullmatch("P[0-9]+", name)]
    return reasons + ["ran a part of a name: %s" % name for name in made if name not in before]


def run(sbfs, step):
    failures = Failures()
    for program in [*SHELLS, "script"]:
        if not shutil.which(program):
            raise SystemExit("%s is not installed" % program)
    cases = [("text: " + name, lambda jail, text=text: try_text(jail, text)) for name, text in TEXTS.items()]
    cases += [("completion: %s, %s" % (shell, quote), lambda jail, shell=shell, quote=quote: try_shell(jail, shell, quote))
              for shell in SHELLS for quote in QUOTES]
    for number, (name, try_case) in enumerate(cases):
        if number % step:
            continue
        with Jail(sbfs) as jail:
            failures.case(name, try_case(jail))
    return failures

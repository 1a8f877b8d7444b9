"""A scenario: its variables, and its functions, each run by a separate bash."""
import os
import shlex
import signal
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
NEEDED = {"setup", "change", "check", "durable"}


class Stop(Exception):
    """The scenario or the machine is wrong, so nothing is known about the program."""


class Scenario:
    def __init__(self, path, program):
        self.path, self.program = os.path.abspath(path), os.path.abspath(program)
        told = subprocess.run(
            ["bash", "-c", f"{self.sources()} printf '%s\\n' \"$name\" \"$modes\" \"${{timeout:-30}}\" \"${{min_points:-5}}\" \"${{confined:-}}\"; "
             "compgen -A function"],
            env=dict(os.environ, HERE=HERE), capture_output=True, text=True)
        lines = told.stdout.split("\n")
        if told.returncode or len(lines) < 6:
            raise Stop(f"{path} cannot be read: {told.stderr}")
        self.name, modes, timeout, min_points, self.confined, *functions = lines
        self.modes, self.timeout, self.min_points = modes.split(), int(timeout), int(min_points)
        self.races = sorted(f[len("race_"):] for f in functions if f.startswith("race_"))
        missing = NEEDED - set(functions)
        if missing or ("race" in self.modes) != bool(self.races) or (self.races and "check_race" not in functions):
            raise Stop(f"{path} lacks {', '.join(sorted(missing)) or 'a race or its check_race'}")

    def sources(self):
        return f". {shlex.quote(HERE + '/words.sh')}; . {shlex.quote(self.path)};"

    def shell_command(self, function):
        """A function as one line of any shell."""
        return "exec bash -c " + shlex.quote(f"{self.sources()} {function}")

    def run(self, function, library, work, settings=None, preload="", before=()):
        """Runs a function in the folder `work`; returns its status, negative for a signal, 124 for the time limit, and its output.

        With `preload`, programs that it starts get that library, but bash itself does not.
        """
        environment = dict(
            os.environ, LIB=library, SBFS=self.program, HERE=HERE, WORK=work, LC_ALL="C.UTF-8", **(settings or {}))
        exported = f"export LD_PRELOAD={shlex.quote(preload)};" if preload else ""
        process = subprocess.Popen(
            [*before, "bash", "-c", f"{self.sources()} {exported} {function}"], cwd=work, env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            said, _ = process.communicate(timeout=self.timeout)
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            said, _ = process.communicate()
            status = 124
        # A shell tells of a signal by 128 and its number.
        return 128 - status if status > 128 else status, said.decode("utf-8", "replace").strip()

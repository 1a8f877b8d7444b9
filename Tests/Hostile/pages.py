"""Pages that mean harm, in the whole capture, with and without the browser: Scripts/hostile-pages."""
import os, re, subprocess, sys

from common import Failures

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Scripts/hostile-pages")


def run(sbfs, step):
    failures = Failures()
    environment = dict(os.environ, SBFS_WORKER=os.path.join(os.path.dirname(os.path.abspath(sbfs)), "sbfs-worker"))
    process = subprocess.run([sys.executable, SCRIPT] + (["--quick"] if step > 1 else []), env=environment, stdout=subprocess.PIPE, text=True)
    sys.stdout.write(process.stdout)
    found = re.search(r"^(\d+) cases, (\d+) failed$", process.stdout, re.M)
    if not found or process.returncode not in (0, 1):
        sys.exit("Scripts/hostile-pages ended with %d" % process.returncode)
    failures.cases = int(found[1])
    failures.failed = ["page"] * int(found[2])
    return failures

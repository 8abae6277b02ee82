# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/driver/Terminal.cpp.
"""On a terminal the mapper's search shows its progress, and Ctrl-C ends it with the
best mapping so far; a second Ctrl-C ends the process, and leaves no file."""
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time

DENDROLITH = pathlib.Path(sys.argv[1]).resolve()
TEMPORARY = tempfile.TemporaryDirectory()
FOLDER = pathlib.Path(TEMPORARY.name)
MODEL = FOLDER / "net.npz"
failed = 0


def expect(title, good, text):
    global failed
    if not good:
        failed += 1
        print(f"FAILED {title}: {text}")


def on_terminal(arguments, presses):
    """Runs the command on a terminal of its own and presses Ctrl-C so many times, a
    moment apart, once a mapping was found. The exit status and what was shown."""
    child, terminal = pty.fork()
    if child == 0:
        os.execv(DENDROLITH, [str(DENDROLITH), *map(str, arguments)])
    shown = ""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part.decode(errors="replace")
        while presses and "best of" in shown:
            presses -= 1
            os.write(terminal, b"\x03")
            time.sleep(0.03)  # two signals of a kind that wait are one
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.close(terminal)
    return status, shown


subprocess.run([DENDROLITH, "generate", FOLDER / "net", "--neurons", "12000", "--steps", "10"],
               check=True, stdout=subprocess.DEVNULL, timeout=600)
compile_ = ["compile", MODEL, "--target", "loihi1-study", "--map-for", "balanced"]

# In a pipe nothing is shown of it.
quiet = subprocess.run([DENDROLITH, "compile", MODEL, "--target", "loihi1-study", "--map-for",
                        "cores"], capture_output=True, text=True, timeout=600)
expect("quiet in a pipe", quiet.returncode == 0 and quiet.stderr == "", quiet.stderr)

image = FOLDER / "once.dlp"
status, shown = on_terminal([*compile_, "-o", image], 1)
expect("progress", re.search(r"mapping, \d+ s: best of \d+: \d+ cores, [\d.]+ us, [\d.]+ nJ a step "
                             r"\(bound 12 cores\)", shown), shown[:400])
expect("an interrupt keeps the best",
       status == 0 and image.exists()
       and "warning: mapping: interrupted: best of " in shown
       and "[cut-short]" in shown and "; interrupted: best of " in shown, f"{status} {shown}")
run = subprocess.run([DENDROLITH, "run", image, "--input", MODEL], capture_output=True,
                     text=True, timeout=600)
expect("its image runs", run.returncode == 0 and "equal to those of" in run.stdout,
       run.stdout + run.stderr)

image = FOLDER / "twice.dlp"
status, shown = on_terminal([*compile_, "-o", image], 2)
expect("a second interrupt ends the process",
       status == -signal.SIGINT and not list(FOLDER.glob("twice*")), f"{status} {shown}")
print("FAILED" if failed else "ok")
sys.exit(bool(failed))

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests of the command share: calls of it, and checks that go on after one failed."""
import os
import pathlib
import subprocess
import sys
import tempfile

DENDROLITH = sys.argv[1]
ROOT = pathlib.Path(__file__).resolve().parents[2]
LIF = ROOT / "models" / "lif"
TEMPORARY = tempfile.TemporaryDirectory()
W = pathlib.Path(TEMPORARY.name)
failed = []


def check(good, title):
    if not good:
        failed.append(title)
        print(f"FAILED {title}")


def dendrolith(*arguments, targets=None, **options):
    """Runs the command, with DENDROLITH_TARGETS set to `targets`."""
    environment = {**os.environ, **({"DENDROLITH_TARGETS": str(targets)} if targets else {})}
    return subprocess.run([DENDROLITH, *map(str, arguments)], capture_output=True, text=True,
                          timeout=300, env=environment, **options)


def refused(title, code, *arguments, says=()):
    done = dendrolith(*arguments)
    check(done.returncode == code and all(word in done.stderr for word in says),
          f"{title}: exit code {done.returncode}, expected {code}: {done.stderr.strip()}")


def finish():
    """Ends the test: exit code 1 if a check failed."""
    print(f"failed: {len(failed)}" if failed else "all passed")
    sys.exit(1 if failed else 0)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/tutorial/own_cell.py and what own_cell.md quotes.
"""The tutorial runs as it stands; the network is torch's cell, and the chip is as good."""
import os
import re
import subprocess
import sys

from support import ROOT, check, finish, need

torch = need("torch")
if not hasattr(torch, "export") or tuple(map(int, torch.__version__.split(".")[:2])) < (2, 6):
    print("skipped: torch is older than 2.6")
    raise SystemExit(77)
done = subprocess.run([sys.executable, ROOT / "runtime/python/tutorial/own_cell.py"],
                      capture_output=True, text=True, env=os.environ)
print(done.stdout)
check(done.returncode == 0, f"it runs: {done.stderr}")
trained = re.search(r"torch: ([\d.]+) %", done.stdout)
worst = re.search(r"largest difference from torch ([\d.e+-]+)", done.stdout)
on_chip = re.search(r"loihi2: ([\d.]+) %", done.stdout)
check(trained and float(trained.group(1)) > 90, "it learns")
check(worst and float(worst.group(1)) < 1e-12, "the network is the cell")
check(on_chip and abs(float(trained.group(1)) - float(on_chip.group(1))) < 5, "the chip is as good")
text = (ROOT / "runtime/python/tutorial/own_cell.md").read_text()
for line in ("    y = 0.95 * y + self.readout(s)", "name=\"own_cell\")"):
    check(line in text, f"the page quotes the script: {line}")


def masked(lines):
    """What is said of torch and of the chip that takes the cell, without its digits."""
    kept = [line for line in lines.splitlines() if re.match(r"torch|<|float|loihi2|gradient", line)]
    return [re.sub(r"[\d.]+(e[+-]\d+)?", "#", line) for line in kept]


quoted = re.search(r"```text\n(.*?)```", text, re.S).group(1)
check(masked(quoted) == masked(done.stdout), f"the page quotes what is printed: {masked(done.stdout)}")
joules = [float(re.search(r"([\d.]+) to [\d.]+ nJ", one).group(1)) for one in (quoted, done.stdout)]
check(abs(joules[0] / joules[1] - 1) < 0.2, f"the page has today's energy: {joules}")
finish()

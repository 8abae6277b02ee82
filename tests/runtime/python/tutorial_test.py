# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/tutorial/from_pytorch.py and what from_pytorch.md quotes.
"""The tutorial runs as it stands, agrees with torch, and draws its figures."""
import os
import re
import subprocess
import sys

from support import FOLDER, ROOT, check, finish, need

need("torch")
need("h5py")
need("matplotlib")
done = subprocess.run([sys.executable, ROOT / "runtime/python/tutorial/from_pytorch.py",
                       FOLDER / "figures"], capture_output=True, text=True, env=os.environ)
print(done.stdout)
check(done.returncode == 0, f"it runs: {done.stderr}")
check("spikes that differ from torch: 0 of" in done.stdout, "spikes are those of torch")
worst = re.search(r"largest difference of the read-out ([\d.e+-]+)", done.stdout)
check(worst and float(worst.group(1)) < 1e-6, "the read-out is torch's")
trained = re.search(r"torch: ([\d.]+) %", done.stdout)
on_chip = re.search(r"accuracy: ([\d.]+) %", done.stdout)
check(trained and on_chip and float(trained.group(1)) > 80 and
      abs(float(trained.group(1)) - float(on_chip.group(1))) < 3, "the chip is as good")
figures = list((FOLDER / "figures").glob("*.png"))
check(len(figures) == 5 and all(figure.stat().st_size > 3000 for figure in figures), "figures")
finish()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/mlir/Ranc.cpp.
"""Do RANC's own programs give the outputs that its authors list?

    images.py [RANC_CHECKOUT] [--dendrolith build/bin/dendrolith] [--engine functional] [--keep DIR]

`run FOLDER` takes the images of a checkout (memory_files: two files a core, and packets
by tick). An output of tick t is that of `lead` ticks later, for an image has as many
layers; in tick 0 all neurons at the bus fire, which the authors leave out.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: needs numpy")
    sys.exit(77)

IMAGES = "tea/128", "tea/256", "tea/512", "tea/512_128", "vmm"
LEADS = 6


def numbers(path, base=10):
    return [int(word, base) for word in path.read_text().split()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("checkout", type=pathlib.Path, nargs="?",
                        default=pathlib.Path(os.environ.get("DENDROLITH_RTL", "/none"), "RANC"))
    parser.add_argument("--dendrolith", type=pathlib.Path, default="build/bin/dendrolith")
    parser.add_argument("--engine", default="functional")
    parser.add_argument("--keep", type=pathlib.Path)
    given = parser.parse_args()
    files = given.checkout / "hardware/IP/RANCNetwork/src/simulations/memory_files"
    if not files.is_dir():
        print(f"skipped: {files} is not there")
        sys.exit(77)
    wrong = 0
    for name in IMAGES:
        with tempfile.TemporaryDirectory() as temporary:
            out = (given.keep or pathlib.Path(temporary)) / name.replace("/", "_")
            subprocess.run([given.dendrolith.absolute(), "run", files / name, "--target", "ideal", "--engine",
                            given.engine, "--out", out, "--report", "none"], check=True, capture_output=True)
            bus = np.load(out / "outputs.npy")
        axons, wanted = numbers(files / name / "tb_correct.txt", 2), []
        for count in numbers(files / name / "tb_num_outputs.txt"):
            wanted.append(set(axons[:count]))
            axons = axons[count:]
        found = [set(np.flatnonzero(row)) for row in bus]
        equal, lead = max((sum(found[tick + lead] == want for tick, want in enumerate(wanted)), -lead)
                          for lead in range(1, LEADS))
        wrong += equal != len(wanted)
        print(f"{name:12} {equal} of {len(wanted)} ticks equal, {sum(map(len, wanted))} outputs, "
              f"{-lead} ticks behind")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()

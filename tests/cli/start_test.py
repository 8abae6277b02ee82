# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/packages/Linking.cmake, simulator/timing/kernel/KernelLoaded.cpp.
"""The programs load few libraries when they start, and SystemC with the first run of the
cycle engine."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from command import LIF, DENDROLITH, W, check, finish, dendrolith

SLOW = ("MLIR", "LLVM", "hdf5", "curl", "systemc", "protobuf")


def libraries(program):
    listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True)
    return re.findall(r"^\s*(\S+\.so\S*)", listed.stdout, re.M)


for program in DENDROLITH, sys.argv[2]:
    found = libraries(program)
    check(not [name for name in found if any(slow in name for slow in SLOW)],
          f"{program} loads {found}")
    check(len(found) <= 20, f"{program} loads {len(found)} libraries")

image = W / "lif.dlp"
done = dendrolith("compile", LIF / "shapes_lif.nir", "--target", "loihi1",
               "--calibrate", LIF / "calib_x.npy", "-o", image)
check(done.returncode == 0, done.stderr)


def run(program, engine, **environment):
    return subprocess.run([program, "run", image, "--input", LIF / "calib_x.npy",
                           "--engine", engine, "--report", "none"], capture_output=True, text=True,
                          timeout=300, env={**os.environ, **environment})


def systemc_in(engine):
    """Whether the dynamic loader says that it has read SystemC's library."""
    done = run(DENDROLITH, engine, LD_DEBUG="files")
    check(done.returncode == 0, f"{engine}: {done.stderr[-300:]}")
    return "libsystemc" in done.stderr


check(not systemc_in("functional"), "the functional engine loads SystemC")
check(systemc_in("cycle"), "the cycle engine runs without SystemC's library")

# A program without what lies beside it says so, and does all else.
alone = W / "bin" / pathlib.Path(DENDROLITH).name
alone.parent.mkdir()
shutil.copy(DENDROLITH, alone)
targets = pathlib.Path(__file__).resolve().parents[2] / "targets"
done = run(alone, "functional", DENDROLITH_TARGETS=str(targets))
check(done.returncode == 0, f"functional engine of a program alone: {done.stderr}")
done = run(alone, "cycle", DENDROLITH_TARGETS=str(targets))
check(done.returncode == 1 and "dendrolith-cycle.so" in done.stderr and "missing" in done.stderr,
      f"cycle engine of a program alone: {done.returncode} {done.stderr}")
finish()

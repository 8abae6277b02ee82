#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/packages/Install.cmake, runtime/driver/CMakeLists.txt; runtime/python/neurite/binary.py.
"""What runtime/packages/Install.cmake installs runs from its own folder, without a build tree."""

import pathlib
import subprocess
import sys
import tempfile

CMAKE, BUILD = sys.argv[1:3]
MODEL = pathlib.Path(__file__).parents[2] / "models" / "lif"
FILES = """bin/neurite bin/neurite-opt lib/python3/dist-packages/neurite/__init__.py
share/neurite/result.schema.json share/neurite/targets/loihi1/chip.yaml
share/doc/neurite/copyright share/doc/neurite/README.md share/man/man1/neurite.1.gz
share/bash-completion/completions/neurite
share/fish/vendor_completions.d/neurite.fish""".split()

if not (pathlib.Path(BUILD) / "bin" / "neurite-opt").exists():
    print("skipped: neurite-opt is not built")
    sys.exit(77)

with tempfile.TemporaryDirectory() as folder:
    prefix = pathlib.Path(folder) / "prefix"
    # Component by component, as the list of files of a whole installation is what
    # the user's next `uninstall` reads.
    for component in ("neurite", "python"):
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", str(prefix), "--component", component],
                       check=True, stdout=subprocess.DEVNULL)
    missing = [f for f in FILES if not (prefix / f).is_file()
               or not (prefix / f).stat().st_size]
    assert not missing, f"not installed, or empty: {missing}"

    def run(*command, **environment):
        return subprocess.run([str(c) for c in command], env=environment,
                              cwd=folder, check=True, text=True,
                              stdout=subprocess.PIPE).stdout

    printed = run(prefix / "bin" / "neurite", "run", MODEL / "shapes_lif.nir",
                  "--target", "loihi1", "--calibrate", MODEL / "calib_x.npy",
                  "--input", MODEL / "calib_x.npy")
    assert "shapes_lif on loihi1" in printed, printed
    if (prefix / "lib" / "neurite").exists():  # what the cycle engine loads
        run(prefix / "bin" / "neurite", "run", MODEL / "shapes_lif.nir", "--target", "loihi1",
            "--input", MODEL / "calib_x.npy", "--engine", "cycle")
    found = run(sys.executable, "-c", "import neurite.binary as b; print(b.find_binary())",
                PYTHONPATH=prefix / "lib" / "python3" / "dist-packages")
    assert found.strip() == str((prefix / "bin" / "neurite").resolve()), found
print("ok: the installed tree runs by itself")

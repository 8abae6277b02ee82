#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/packages/Install.cmake, runtime/driver/CMakeLists.txt; runtime/python/dendrolith/binary.py.
"""What runtime/packages/Install.cmake installs runs from its own folder, without a build tree."""

import pathlib
import subprocess
import sys
import tempfile

CMAKE, BUILD = sys.argv[1:3]
MODEL = pathlib.Path(__file__).parents[2] / "models" / "lif"
FILES = """bin/dendrolith bin/dendrolith-opt lib/python3/dist-packages/dendrolith/__init__.py
share/dendrolith/result.schema.json share/dendrolith/targets/loihi1/chip.yaml
share/doc/dendrolith/copyright share/doc/dendrolith/README.md share/man/man1/dendrolith.1.gz
share/bash-completion/completions/dendrolith
share/fish/vendor_completions.d/dendrolith.fish""".split()

if not (pathlib.Path(BUILD) / "bin" / "dendrolith-opt").exists():
    print("skipped: dendrolith-opt is not built")
    sys.exit(77)

with tempfile.TemporaryDirectory() as folder:
    prefix = pathlib.Path(folder) / "prefix"
    # Component by component, as the list of files of a whole installation is what
    # the user's next `uninstall` reads.
    for component in ("dendrolith", "python"):
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", str(prefix), "--component", component],
                       check=True, stdout=subprocess.DEVNULL)
    missing = [f for f in FILES if not (prefix / f).is_file()
               or not (prefix / f).stat().st_size]
    assert not missing, f"not installed, or empty: {missing}"

    def run(*command, **environment):
        return subprocess.run([str(c) for c in command], env=environment,
                              cwd=folder, check=True, text=True,
                              stdout=subprocess.PIPE).stdout

    printed = run(prefix / "bin" / "dendrolith", "run", MODEL / "shapes_lif.nir",
                  "--target", "loihi1", "--calibrate", MODEL / "calib_x.npy",
                  "--input", MODEL / "calib_x.npy")
    assert "shapes_lif on loihi1" in printed, printed
    if (prefix / "lib" / "dendrolith").exists():  # what the cycle engine loads
        run(prefix / "bin" / "dendrolith", "run", MODEL / "shapes_lif.nir", "--target", "loihi1",
            "--input", MODEL / "calib_x.npy", "--engine", "cycle")
    found = run(sys.executable, "-c", "import dendrolith.binary as b; print(b.find_binary())",
                PYTHONPATH=prefix / "lib" / "python3" / "dist-packages")
    assert found.strip() == str((prefix / "bin" / "dendrolith").resolve()), found
print("ok: the installed tree runs by itself")

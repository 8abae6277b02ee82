# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/tools/dendrolith-opt.cpp, compiler/import/common/TryParse.cpp.
"""The hostile networks of hostile/mlir.py through dendrolith-opt: it takes them or refuses
them, and no signal ends it, whether it reads a file or standard input.
usage: opt_test.py DENDROLITH DENDROLITH_OPT"""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "hostile"))
from corpus import Corpus  # noqa: E402
import mlir  # noqa: E402

PASSES = ["--canonicalize", "--dendrolith-prepare", "--dendrolith-quantise=target=loihi1",
          "--dend-body-to-vector"]


def main(dendrolith, opt):
    with tempfile.TemporaryDirectory() as folder:
        corpus = Corpus(pathlib.Path(folder), dendrolith, opt, "")
        mlir.build(corpus)
        files = [case.path for case in corpus.cases if case.path.is_file()]
        files.append(corpus.file("mlir", "deep_modules.mlir", "module {\n" * 20_000 + "}\n" * 20_000))
        bad = 0
        for i, path in enumerate(files):
            piped = i % 2 == 0
            ran = subprocess.run([opt, PASSES[i % 4], "-o", pathlib.Path(folder) / "out",
                                  *([] if piped else [path])],
                                 stdin=open(path, "rb") if piped else subprocess.DEVNULL,
                                 capture_output=True, timeout=120)
            if ran.returncode not in (0, 1) or ran.returncode == 1 and not ran.stderr:
                bad += 1
                print(f"FAILED {path.name} {PASSES[i % 4]}: exit code {ran.returncode}: "
                      f"{ran.stderr[:300]!r}")
    print(f"{len(files)} files, {bad} failures")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/host/ChildProcess.cpp, runtime/validate/ValidateProgram.cpp,
# targets/loader/yaml/Yaml.cpp.
"""Generated malformed and hostile files of every kind that the command reads.
Under limits of memory and time each gives exit code 1 and one error that names
the file, and leaves nothing behind. Prints each file with its message.
usage: hostile_files_test.py DENDROLITH DENDROLITH_OPT PROTOC [PART...]"""
import importlib
import pathlib
import sys
import tempfile

try:
    import h5py  # noqa: F401
    import numpy  # noqa: F401
except ImportError:
    print("skipped: numpy or h5py is not installed")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "hostile"))
from corpus import Corpus  # noqa: E402
import limits  # noqa: E402

# Part, a ctest test of its own -> the groups of files that it runs.
PARTS = {
    "nir": {"nir"},
    "arrays": {"checkpoint", "weights", "input"},
    "yamls": {"target", "costs"},
    "images": {"image"},
    "mlir": {"mlir"},
    "results": {"result"},
}
MODULES = ("nir", "arrays", "yamls", "images", "mlir", "results")


def main(dendrolith, dendrolith_opt, protoc, *parts):
    wanted = set().union(*(PARTS[part] for part in parts or PARTS))
    memory = limits.can_limit_memory(pathlib.Path(dendrolith).resolve())
    if not memory:
        print("memory is not limited: this build maps more than it uses")
    with tempfile.TemporaryDirectory() as folder:
        corpus = Corpus(pathlib.Path(folder), dendrolith, dendrolith_opt, protoc)
        for module in MODULES:
            importlib.import_module(module).build(corpus)
        groups = {case.group for case in corpus.cases}
        assert groups == set().union(*PARTS.values()), "a group is in no part"
        totals, bad, longest = {}, 0, 0.0
        for case in corpus.cases:
            if case.group not in wanted:
                continue
            outcome, wrong = limits.run_case(case, corpus, memory)
            said = outcome.message.replace(folder + "/", "") or "(taken: the damage hits nothing)"
            print(f"{case.group:10} {case.path.name:28} {outcome.seconds:5.2f} s  {said}")
            for fault in wrong:
                print(f"FAILED {case.group}/{case.path.name}: {fault}: {outcome.errors[:2000]!r}")
            bad += bool(wrong)
            count = totals.setdefault(case.group, [0, 0])
            count[0] += 1
            count[1] += outcome.code == 1
            longest = max(longest, outcome.seconds)
    for group, (count, refused) in totals.items():
        print(f"{group}: {count} files, {refused} refused, {count - refused} taken")
    print(f"{sum(c for c, _ in totals.values())} files, {bad} failures; longest {longest:.1f} s, "
          f"largest process {limits.peak_mb():.0f} MB")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests tests/layers/layers_test.py, tests/layers/mirror_test.py, tests/layers/names_test.py, tests/layers/paths_test.py.
"""Tests layers_test.py, mirror_test.py, names_test.py and paths_test.py: a file that breaks a rule,
planted in a copy of the tree in memory, is found by every one of their rules."""
import pathlib
import sys
import tempfile

import layers_test
import mirror_test
import names_test
import paths_test
from rules import EXCEPTIONS
from tree import read_tree

LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
ROOT = pathlib.Path(__file__).resolve().parents[2]


def cxx(*targets):
    return f"// {LICENCE}\n" + "".join(f'#include "{name}"\n' for name in targets)


def python(code):
    return f"# {LICENCE}\n{code}\n"


# What is planted (path, text), and what the finding must say.
PLANTS = [
    ("a layer above", "targets/loader/Planted.cpp", cxx("runtime/host/Files.h"),
     "targets may not include runtime/host/Files.h"),
    ("a header that is not for everyone", "dialects/dend/Planted.cpp",
     cxx("targets/support/Text.h"), "dialects may not include targets/"),
    ("compiler and simulator", "simulator/events/Planted.cpp",
     cxx("compiler/mapping/MapNetwork.h"), "simulator may not include compiler/"),
    ("the command", "compiler/pipelines/Planted.cpp",
     cxx("runtime/driver/Command.h"), "includes the leaf runtime/driver/"),
    ("the session, from below", "runtime/image/Planted.cpp",
     cxx("runtime/session/Run.h"), "includes the leaf runtime/session/Run.h"),
    ("the command, from the session", "runtime/session/Planted.cpp",
     cxx("runtime/driver/Command.h"), "includes the leaf runtime/driver/"),
    ("a room above", "runtime/host/Planted.cpp", cxx("runtime/image/Program.h"),
     "runtime/host may not include runtime/image"),
    ("the order inside compiler/", "compiler/transforms/network/Planted.cpp",
     cxx("compiler/lowering/CoreTables.h"),
     "compiler/transforms/network may not include compiler/lowering"),
    ("the order inside transforms/", "compiler/transforms/network/Planted.cpp",
     cxx("compiler/transforms/quantise/Calibration.h"),
     "may not include compiler/transforms/quantise"),
    ("lowering knows nothing of emit", "compiler/lowering/Planted.cpp",
     cxx("compiler/emit/EmitProgram.h"),
     "compiler/lowering may not include compiler/emit"),
    ("MLIR in the simulator", "simulator/events/Planted.cpp",
     cxx("mlir/IR/Builders.h"), "only dialects/, compiler/ and leaves"),
    ("MLIR in the mapping", "compiler/mapping/Planted.cpp",
     cxx("llvm/ADT/StringRef.h"), "compiler/mapping knows no MLIR"),
    ("SystemC outside timing", "simulator/events/Planted.cpp", cxx("systemc"),
     "only simulator/timing includes systemc"),
    ("a circle of rooms", "simulator/Planted.h",
     cxx("simulator/events/PlantedCounter.h"), "in a circle"),
    ("the loose files of a room, from below", "compiler/mapping/network/Planted.cpp",
     cxx("compiler/mapping/MapNetwork.h"), "its loose files, network/"),
    ("a circle of files", "simulator/energy/PlantedA.h",
     cxx("simulator/energy/PlantedB.h"), "include each other in a circle"),
    ("a room without a rule", "runtime/planted/Planted.cpp", cxx(),
     "runtime/planted: is not in ROOM_MAY"),
    ("a model that imports a test", "models/lif/planted.py",
     python("import papers_test"), "models/ may not import papers_test of tests/"),
    ("a test's folder on sys.path", "models/lif/planted.py",
     python('import sys\nsys.path.insert(0, str(ROOT / "tests/e2e"))'),
     "models/ may not reach into 'tests/e2e'"),
    ("the Python package and models", "runtime/python/dendrolith_lava/planted.py",
     python("from reference_io import read"),
     "runtime/ may not import reference_io of models/"),
    ("a library linked from above", "targets/CMakeLists.txt",
     f"# {LICENCE}\ntarget_link_libraries(DendrolithTargets MLIR)\n", "links MLIR"),
    ("no licence", "targets/loader/Planted.cpp", "int planted;\n", "no SPDX line"),
    ("a path of one machine", "targets/loader/Planted.cpp",
     cxx() + '// See /' + 'home/somebody.\n', "names a path of one machine"),
    ("a source that is too long", "targets/loader/Planted.cpp", cxx() + "\n" * 400,
     "lines, at most"),
]
BESIDE = {  # what a planted circle needs besides
    "simulator/Planted.h": {"simulator/events/PlantedCounter.h":
                            cxx("simulator/Planted.h")},
    "simulator/energy/PlantedA.h": {"simulator/energy/PlantedB.h":
                                    cxx("simulator/energy/PlantedA.h")},
}
TESTS = [
    ("a test of nothing", "tests/runtime/host/PlantedTest.cpp", cxx(),
     "names no source"),
    ("a test of a source that is gone", "tests/runtime/host/PlantedTest.cpp",
     cxx() + "// Tests runtime/host/Vanished.cpp.\n", "runtime/host/Vanished.cpp"),
    ("a check that names nothing", "tests/e2e/planted_test.py",
     python('"""Some network."""'), "names no source"),
    ("a source without a header of its name", "runtime/host/Planted.cpp",
     cxx("runtime/host/Files.h"), "includes no header"),
    ("a source whose name ends within a word", "runtime/host/PlantedFiles.cpp",
     cxx("runtime/host/les.h"), "includes no header"),
    ("a lit file that names nothing", "tests/dialects/dend/planted.mlir",
     f"// {LICENCE}\n// RUN: true\n", "names no source"),
]
# Two files of a name that means two things, and what the finding must say.
NAMES = [
    ("a function at file level twice", "runtime/host/PlantedA.cpp",
     "namespace dendrolith {\nstatic int planted(int a) { return a; }\n}\n",
     "runtime/arrays/PlantedB.cpp",
     "namespace dendrolith {\nnamespace {\nbool planted() { return {}; }\n}\n}\n",
     "dendrolith::planted: stands at file level of"),
    ("a constant beside a type", "targets/loader/PlantedA.cpp",
     "namespace {\nconstexpr int kA = f(1, 2), planted = 3;\n}\n",
     "targets/support/PlantedB.cpp",
     "namespace {\ntemplate <typename T, int N = 2> struct planted {};\n}\n",
     "planted: stands at file level of"),
    ("an alias of another type", "simulator/report/PlantedA.cpp",
     "using namespace dendrolith;\nusing Planted = int;\n",
     "simulator/report/PlantedB.cpp",
     "namespace dendrolith {\nusing Planted = char;\n}\n",
     "dendrolith::Planted: stands at file level of"),
    ("a type of the program twice", "targets/loader/Planted.h",
     "namespace dendrolith {\nenum class Planted : int { None };\n}\n",
     "compiler/mapping/Planted.h",
     "namespace dendrolith {\nclass Planted final : Base<int> { int a; };\n}\n",
     "dendrolith::Planted: is defined in"),
]
# A name and a comment that say nothing, and what the finding must say.
VAGUE = [
    ("a vague type", "runtime/host/Planted.h", "struct Asked {};\n", "the name Asked"),
    ("a vague function", "runtime/host/Planted.cpp",
     "static std::vector<int>\ndeal(int cards) {\n", "the name deal"),
    ("a vague class", "models/lif/planted.py", "class Story:\n    pass\n", "the name Story"),
    ("a comment without a subject", "runtime/host/Planted.h",
     "int planted; ///< Of a core.\n", "begins with no subject"),
    ("a text without a subject", "models/lif/planted.py",
     'def planted():\n    ""' '"Of a core."""\n', "begins with no subject"),
]


def main():
    files, failures = read_tree(ROOT), []
    for title, path, text, expected in PLANTS:
        planted = {**files, **BESIDE.get(path, {}), path: text}
        found = [line for line in layers_test.check(planted) if expected in line]
        if not found:
            failures.append(f"{title}: {path} was not found")
    for title, path, text, expected in TESTS:
        found = mirror_test.check({**files, path: text})
        if not any(path in line and expected in line for line in found):
            failures.append(f"{title}: {path} was not found")
    for title, path, text, other, beside, expected in NAMES:
        found = names_test.check({**files, path: text, other: beside})
        if not any(expected in line and path in line and other in line for line in found):
            failures.append(f"{title}: {path} was not found")
    for title, path, text, expected in VAGUE:
        if not any(path in line and expected in line for line in
                   names_test.vague({path: text})):
            failures.append(f"{title}: {path} was not found")
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "README.md").write_text("`room/Here.cpp`, `room/Gone.cpp`\n")
        (root / "runtime/room").mkdir(parents=True)
        (root / "runtime/room/Here.cpp").write_text(cxx())
        if paths_test.check(root)[0] != ["README.md: names room/Gone.cpp, which does not exist"]:
            failures.append("a source that a page names and is gone was not found")
    small = {f"targets/loader/Planted{number}.h": cxx() for number in range(100)}
    if not any("modules, of at most" in line for line in layers_test.check({**files, **small})):
        failures.append("a hundred modules more were not found")
    gone = {**EXCEPTIONS, ("runtime/host/Gone.h", "runtime/image/Program.h"): ""}
    if not any("Gone.h" in line for line in layers_test.check(files, gone)):
        failures.append("an exception that happens no longer was not found")
    print("\n".join(failures) or
          f"ok: {len(PLANTS) + len(TESTS) + len(NAMES) + len(VAGUE) + 3} planted faults were found")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())

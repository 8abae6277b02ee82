# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers include and link only what they may, and every file says its licence.

Reads the sources; `python3 tests/layers/layers_test.py [FOLDER]`.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1
                    else pathlib.Path(__file__).resolve().parents[2])

# Layer -> our own layers it may include besides itself.
MAY = {
    "targets": set(),
    "dialects": set(),
    "runtime": {"targets"},
    "compiler": {"dialects", "targets", "runtime"},
    "simulator": {"runtime", "targets"},
    "models": set(),
}
LIBRARIES = {  # what a layer's CMake must not mention
    "targets": r"\b(MLIR|LLVM|SYSTEMC|systemc)\b|NeuriteRuntime",
    "runtime": r"\b(MLIR|LLVM|SYSTEMC|systemc)\b|NeuriteSimulator|NeuriteImport",
    "simulator": r"\b(MLIR|LLVM)\b|NeuriteDend|NeuriteMlir|NeuriteLowering",
    "compiler": r"SYSTEMC|systemc|NeuriteSimulator|NeuriteTiming",
    "dialects": r"SYSTEMC|systemc|NeuriteTargets|NeuriteRuntime",
}
SOURCE = {".cpp", ".h", ".td", ".py", ".proto", ".yaml"}
INCLUDE = re.compile(r'^\s*#?\s*include\s+["<]([^">]+)[">]', re.M)
TOP = set(MAY) | {"tests"}


def files():
    for layer in sorted(TOP):
        for path in sorted((ROOT / layer).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield layer, path


def driver(path):
    return path.is_relative_to(ROOT / "runtime" / "driver")


def check_includes(layer, path, text, problems):
    where = path.relative_to(ROOT)
    for name in INCLUDE.findall(text):
        first = name.split("/")[0]
        if name.startswith("runtime/driver/") and not (
                driver(path) or layer == "tests"):
            problems.append(f"{where}: includes the leaf {name}")
        if driver(path) or layer == "tests":
            continue  # leaves may include everything
        if first in MAY and first != layer and first not in MAY[layer]:
            problems.append(f"{where}: {layer} may not include {name}")
        if first in ("mlir", "llvm") and layer not in ("dialects", "compiler"):
            problems.append(f"{where}: {layer} may not include {name}")
        if first == "systemc" and not path.is_relative_to(
                ROOT / "simulator" / "timing"):
            problems.append(f"{where}: only simulator/timing includes systemc")


def main():
    problems, includes, seen = [], 0, 0
    for layer, path in files():
        where = path.relative_to(ROOT)
        if path.name == "CMakeLists.txt":
            text = path.read_text()
            if layer in LIBRARIES and not driver(path):
                code = re.sub(r"#.*", "", text)
                timing = path.is_relative_to(ROOT / "simulator" / "timing")
                found = re.search(LIBRARIES[layer], code)
                if found and not timing:
                    problems.append(f"{where}: links {found.group(0)}")
        elif path.suffix not in SOURCE and path.suffix != ".mlir":
            continue
        else:
            text = path.read_text()
            includes += len(INCLUDE.findall(text))
            check_includes(layer, path, text, problems)
        seen += 1
        if "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception" not in \
                "\n".join(text.split("\n")[:2]):
            problems.append(f"{where}: has no SPDX line at its head")
        for place in re.findall(r"(?<![\w./])/(?:home|root|work|tmp)/\w+", text):
            problems.append(f"{where}: names a path of one machine: {place}")
    # A test that reads nothing would pass for ever.
    if seen < 100 or includes < 300:
        problems.append(f"only {seen} files with {includes} includes were read")
    print("\n".join(problems) or
          f"ok: {includes} includes in {seen} files keep to their layers")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python package has a meaning for every op of a step body that computes
integers, which compiler/lowering/microcode/Select.cpp lists, and for no other.

operations_test.py
"""
import ast
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Read, not imported: the names need neither NumPy nor Lava.
SOURCE = ast.parse((ROOT / "runtime/python/dendrolith_lava/operations.py").read_text())
OPERATIONS = {key.value for node in SOURCE.body if isinstance(node, ast.Assign)
              and node.targets[0].id == "OPERATIONS" for key in node.value.keys}

TABLE = (ROOT / "compiler/lowering/microcode/Select.cpp").read_text()
ROWS = re.findall(r'\{\s*"dend\.(\w+)",\s*E::(\w+),', TABLE)
COUNT = TABLE.count('{"dend.')
if len(ROWS) != COUNT or not OPERATIONS:
    sys.exit(f"read {len(ROWS)} of {COUNT} rows of Select.cpp and {len(OPERATIONS)} operations")

integer = {name for name, form in ROWS if form in ("Instruction", "Expansion")}
missing, unknown = sorted(integer - OPERATIONS), sorted(OPERATIONS - integer)
if missing or unknown:
    sys.exit(f"operations.py lacks {missing} and has {unknown}, which Select.cpp does not list")
print(f"ok: {len(integer)} ops have a meaning in Python")

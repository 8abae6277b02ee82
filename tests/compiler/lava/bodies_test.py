# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/export/lava/Body.cpp,
# runtime/python/dendrolith_lava/operations.py.
"""Random step bodies of every operation: Population's model in Python against
the functional engine, every state and output at every tick.

DENDROLITH_FUZZ_BODIES sets how many seeds are tried (default 60)."""
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE, TOOL = sys.argv[3:5]
sys.path[:0] = [PACKAGE, str(HERE / "standin"), str(HERE), str(HERE.parents[1] / "e2e")]
from support import FOLDER, DENDROLITH, check, dendrolith, np  # noqa: E402

try:
    import google.protobuf  # noqa: F401
except ImportError:
    print("skipped: protobuf for Python is not installed")
    sys.exit(77)
from executor import run as run_lava  # noqa: E402
from dendrolith_lava import lava_pb2 as pb, load  # noqa: E402

COUNT = int(os.environ.get("DENDROLITH_FUZZ_BODIES", 60))
FIRST = int(os.environ.get("DENDROLITH_FUZZ_SEED", 1))
subprocess.run([TOOL, FOLDER, str(FIRST), str(COUNT)], check=True)
kinds, refusals, values, networks = {}, {}, 0, 0


def count(operations):
    for op in operations:
        kinds[op.name] = kinds.get(op.name, 0) + 1
        count(op.region)


for path in sorted(FOLDER.glob("*.mlir"), key=lambda p: int(p.stem)):
    file = path.with_suffix(".pb")
    ran = subprocess.run([DENDROLITH, "export", path, "--format", "lava", "-o", file],
                         capture_output=True, text=True)
    if ran.returncode:
        check("synapse layers take a step each" in ran.stderr, f"seed {path.stem}: {ran.stderr.strip()}")
        refusals["cycle"] = refusals.get("cycle", 0) + 1
        continue
    inputs = {p.name.split(".")[1]: p for p in FOLDER.glob(f"{path.stem}.*.npy")}
    given = [f"{name}={p}" for name, p in inputs.items()]
    program = path.with_suffix(".dlp")
    dendrolith("compile", path, "-o", program)
    dendrolith("run", program, "--out", FOLDER / path.stem,
            *[a for g in given for a in ("--input", g)])
    want = dict(np.load(FOLDER / path.stem / "outputs.npz")) \
        if (FOLDER / path.stem / "outputs.npz").exists() \
        else {None: np.load(FOLDER / path.stem / "outputs.npy")}
    message = pb.Model.FromString(file.read_bytes())
    for neuron in message.neurons:
        count(neuron.body)
    host = {name: np.load(p) for name, p in inputs.items()}
    resets = {f.reset for n in message.neurons for f in n.states}
    networks += 1
    # The first sample: states that are never reset live on into the second.
    used = {i.name for i in message.inputs}
    got = run_lava(load, file, {k: x[0] for k, x in host.items()}, len(next(iter(host.values()))[0]))
    for key, value in got.items():
        wanted = want[key if key in want else None][0].reshape(len(value), -1)
        scale = next(o.scale for o in message.outputs if o.name == key) or 1.0
        if not np.array_equal(value.reshape(len(value), -1) / scale, wanted):
            check(False, f"seed {path.stem}: {key} differs")
        values += value.size
known = set(kinds)
print(f"seeds {FIRST} to {FIRST + COUNT - 1}: {networks} networks, refused {refusals}, {values} values; {kinds}")
check(networks > COUNT / 5, f"{networks} networks of random bodies equal the functional engine")
if COUNT >= 60:
    missing = set("literal add sub neg abs mul min max clamp cmp select rescale shift clz table dot matvec "
                  "vecmat outer_add reduce topk slice element concat roll splat ssf when".split()) - known
    check(not missing, f"every operation is there ({len(known)})" if not missing else f"missing: {missing}")

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/nir/DynamicsWarnings.cpp, compiler/import/nir/Graph.cpp.
"""Files that leave something open: one sentence each says what was assumed and how to say
otherwise, and `--import strict=yes` refuses it."""
import pathlib
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError:
    print("skipped: needs numpy and h5py")
    sys.exit(77)

DENDROLITH = sys.argv[1]
FOLDER = pathlib.Path(tempfile.mkdtemp())
np.save(FOLDER / "x.npy", np.ones((5, 2)))
failures = 0
LEAKY = {"tau": 1e-3, "r": 10, "v_leak": 0, "v_threshold": 1, "v_reset": 0}


def check(holds, what):
    global failures
    if not holds:
        failures += 1
        print(f"FAILED: {what}")


def write(name, neuron=LEAKY, node="n", edges=(), version="1.0.8", metadata=(), scalar=False):
    """Dense, a LIF of two, and ends; fields of the neuron may be scalars, as of nir < 1.0."""
    path = FOLDER / f"{name}.nir"
    with h5py.File(path, "w") as file:
        file["version"] = version
        root = file.create_group("node")
        root["type"] = "NIRGraph"
        pairs = [("input", "w"), ("w", node), (node, "output"), *edges]
        root["edges"] = np.array(pairs, dtype=h5py.string_dtype())
        for key, value in metadata:
            root[f"metadata/{key}"] = value
        nodes = {"input": {"type": "Input", "shape": np.array([2])},
                 "output": {"type": "Output", "shape": np.array([2])},
                 "w": {"type": "Linear", "weight": np.eye(2) * 2},
                 node: {"type": "LIF", **{key: float(value) if scalar else np.full(2, value, float)
                                          for key, value in neuron.items()}}}
        for one, fields in nodes.items():
            for key, value in fields.items():
                root[f"nodes/{one}/{key}"] = value
    return path


def run(path, *keys):
    told = ["--import", ",".join(keys)] if keys else []
    done = subprocess.run([DENDROLITH, "run", path, "--engine", "float", "--input",
                           FOLDER / "x.npy", "--out", FOLDER / "out", *told],
                          capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def strict(path, says, settled):
    """Refused for what it leaves open, and taken once that is said."""
    code, text = run(path, "strict=yes")
    check(code == 1 and says in text, f"{path.name}: strict says {says!r}, {text[-300:]}")
    code, text = run(path, "strict=yes", *settled)
    check(code == 0, f"{path.name}: {settled} settle it, {text[-400:]}")


unknown = {**LEAKY, "r": 1, "v_leak": .1}
strict(write("unknown", unknown), "whose rule its spikes follow", ["reset=value", "dt=1e-4"])
code, text = run(write("unknown", unknown), "strict=yes", "reset=value")
check(code == 1 and "dt, so that it would be 0.0001" in text, f"the usual dt: {text}")
implied = write("implied", {**unknown, "r": 3})
strict(implied, "imply a dt of 0.000333333", ["from=nir", "dt=1e-4"])
strict(write("leaky"), "v_reset of zeros and tau/r of 1e-4", ["from=snntorch", "reset=subtract"])
# Both Spyx and snnTorch would write this.
two = write("two", {**LEAKY, "tau": 5e-5, "r": .5}, "layer_0")
code, text = run(two)
check(code == 0 and "the signatures of Spyx" in text and "from=snntorch" in text,
      f"two signatures: {text[-300:]}")
strict(two, "the signatures of Spyx", ["from=spyx"])
newer = write("newer", version="7.1")
code, text = run(newer)
check(code == 0 and "'7.1', and 0.x and 1.x are known" in text, f"version: {text[-300:]}")
code, text = run(write("dangling", edges=[("n", "nowhere")]))
check(code == 1 and "'n' -> 'nowhere' dangles" in text, f"dangling: {text[-300:]}")
code, text = run(write("bad", metadata=[("import", "reset")]))
check(code == 1 and "metadata 'import'" in text and "reset=subtract" in text, text[-300:])
# Before 1.0: no v_reset, and scalars that stand for all neurons.
old = {key: value for key, value in LEAKY.items() if key != "v_reset"}
wanted = None
for version in ("0.1.1", "0.2.0", "1.0.4", "1.0.8"):
    for scalar in (False, True):
        code, text = run(write("old", old, version=version, scalar=scalar), "from=nir", "dt=1e-4")
        check(code == 0, f"version {version}: {text[-300:]}")
        found = np.load(FOLDER / "out" / "outputs.npy")
        wanted = found if wanted is None else wanted
        check(np.array_equal(found, wanted) and found.any(), f"version {version}, {scalar=}")
# What is exported says all that strict asks for.
for name, keys in (("unknown", ["reset=value", "dt=1e-4"]), ("two", ["from=spyx"])):
    told = FOLDER / "told.nir"
    subprocess.run([DENDROLITH, "export", FOLDER / f"{name}.nir", "--format", "nir", "-o", told,
                    "--import", ",".join(keys)], check=True, capture_output=True)
    code, text = run(told, "strict=yes")
    check(code == 0, f"{name}: its export is strict, {text[-300:]}")
done = subprocess.run([DENDROLITH, "export", FOLDER / "unknown.nir", "--format", "nir", "-o",
                       FOLDER / "no.nir", "--target", "loihi1"], capture_output=True, text=True)
check(done.returncode == 1 and "leave out --target" in done.stderr
      and not (FOLDER / "no.nir").exists(), f"a target of a NIR file: {done.stderr}")
sys.exit(bool(failures))

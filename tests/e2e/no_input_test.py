# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/session/ModelInputs.cpp, runtime/image/TickSchedule.h,
# compiler/pipelines/samples/Calibrate.cpp, compiler/transforms/schedule/DendSchedule.cpp.
"""Networks that nothing drives, spikes that never come, and delays as long as a
network likes: each runs, on chips with limits and without."""
import pathlib
import sys

from support import FOLDER, DENDROLITH, ROOT, check, np
import subprocess

try:
    import h5py  # noqa: F401
except ImportError:
    print("skipped: needs h5py")
    sys.exit(77)

sys.path.insert(0, str(ROOT / "tests" / "compiler" / "import" / "nir"))
import random_graphs  # noqa: E402


class File:
    old = False

    def __init__(self, nodes, edges):
        one = np.array([1])
        self.nodes = {name: {"type": kind, **{k: np.array([float(v)]) for k, v in f.items()}}
                      for name, (kind, f) in nodes.items()}
        for name in {"input", "output"} & {end for edge in edges for end in edge}:
            self.nodes[name] = {"type": name.capitalize(), "shape": one}
        self.edges = edges


def run(model, *flags):
    out = FOLDER / "out"
    done = subprocess.run([DENDROLITH, "run", model, *flags, "--out", out], capture_output=True,
                          text=True)
    return done, np.load(out / "outputs.npy").ravel() if done.returncode == 0 else None


# A leak of 2 drives the neuron: v = 0.75 v + 0.5, spikes above 1.
bias = FOLDER / "bias.nir"
random_graphs.write(bias, File({"n": ("LIF", dict(tau=4e-4, r=1, v_leak=2, v_threshold=1))},
                               [("n", "output")]))
v, spikes = 0.0, []
for _ in range(20):
    v = 0.75 * v + 0.5
    spikes.append(float(v > 1))
    v = 0.0 if v > 1 else v
check(sum(spikes) > 3, "the example is not silent")
for target, engine in (("ideal", "float"), ("ideal", "functional"), ("loihi1", "cycle"),
                       ("loihi2", "cycle")):
    done, found = run(bias, "--steps", "20", "--target", target, "--engine", engine)
    check(found is not None and np.array_equal(found, spikes),
          f"a network without inputs, {engine} on {target} {done.stderr}")
done, _ = run(bias)
check(done.returncode != 0 and "--input is required" in done.stderr, "its length is asked for")
done, _ = run(bias, "--input", "x.npy")
check(done.returncode == 1 and "has no inputs; give --steps" in done.stderr,
      "an input file for it is refused")
image = FOLDER / "bias.dlp"
subprocess.run([DENDROLITH, "compile", bias, "--steps", "20", "--target", "loihi1", "-o", image],
               check=True, capture_output=True)
done, found = run(image, "--steps", "20")
check(found is not None and np.array_equal(found, spikes), "compiled with --steps, and run")

relay = ROOT / "models" / "relay" / "relay.mlir"
done, _ = run(relay, "--steps", "4")
check(done.returncode == 1 and "for networks without inputs" in done.stderr,
      "--steps beside an input is refused")
np.save(FOLDER / "zero.npy", np.zeros((10, 1)))
for target in ("ideal", "loihi2"):
    for engine in ("reference", "functional", "cycle"):
        done, found = run(relay, "--input", FOLDER / "zero.npy", "--target", target,
                          "--engine", engine)
        check(found is not None and not found.any(),
              f"binary events that never come, {engine} on {target} {done.stderr}")

for ticks in (5000, 100000):
    far = FOLDER / "far.nir"
    spike = ("IF", dict(r=1, v_threshold=0.5))
    random_graphs.write(far, File({"m": spike, "d": ("Delay", dict(delay=ticks * 1e-4)),
                                   "n": spike},
                                  [("input", "m"), ("m", "d"), ("d", "n"), ("n", "output")]))
    x = np.zeros((ticks + 5, 1))
    x[3] = 1
    np.save(FOLDER / "x.npy", x)
    for target in ("ideal", "loihi1"):
        done, found = run(far, "--input", FOLDER / "x.npy", "--target", target)
        check(found is not None and np.flatnonzero(found).tolist() == [ticks + 3],
              f"a delay of {ticks} ticks on {target} {done.stderr}")

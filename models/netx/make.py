# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes shapes.net, the trained network of models/lif in NetX's integers, and
spikes.npz, the spikes that it gives on models/lif/test_x.npy.

    python3 models/netx/make.py           # writes both, prints the accuracy
    python3 models/netx/make.py --check   # compares with the files instead

The spikes come from netx_loader.py, plain numpy that follows Lava's
rules and shares no code with Dendrolith.
"""
import pathlib
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "models/lif"))
import netx_files as files  # noqa: E402
import netx_loader as loader  # noqa: E402
import reference  # noqa: E402


def even(weight, scale):
    """Steps of two from -256 to 254: what NetX keeps where both signs occur."""
    return np.clip(2 * np.rint(weight * scale / 2), -256, 254).astype("i2")


def quantised():
    """Dense CUBA layers. In the file's current and voltage, both without the
    factors w_in dt / tau_syn and r dt / tau_mem, which the weights take in."""
    chain, dt = reference.load(ROOT / "models/lif/shapes_lif.nir")
    layers = []
    for (_, linear), (_, neuron) in zip(chain[1::2], chain[2::2]):
        weight, bias = linear["weight"], linear.get("bias")
        if neuron["type"] == "CubaLIF":
            gain = dt / neuron["tau_syn"] * neuron["w_in"] * dt / neuron["tau_mem"]
            weight = weight * (gain * neuron["r"])[:, None]
            decays = 4096 * dt / neuron["tau_syn"][0], 4096 * dt / neuron["tau_mem"][0]
            threshold = neuron["v_threshold"][0]
        else:
            # The read-out becomes neurons that fire: the class is who fires most.
            decays, threshold = (4096, 4096 * dt / neuron["tau"][0]), 6.0
        scale = 254 / np.abs(weight).max()
        more = {} if bias is None else {"bias": np.rint(bias * scale).astype("i2")}
        layers.append(files.dense(
            even(weight, scale), files.cuba(int(decays[0]), int(decays[1]),
                                            int(np.rint(threshold * scale))), **more))
    return layers


def main():
    x = np.load(ROOT / "models/lif/test_x.npy")
    labels = np.load(ROOT / "models/lif/test_y.npy")
    with tempfile.TemporaryDirectory() as folder:
        path = files.write(pathlib.Path(folder) / "shapes.net", quantised(), gzip=True)
        spikes = loader.run_samples(path, x)
        made = path.read_bytes()
    classes = spikes["output"].sum(1).argmax(1)
    print(f"accuracy {100 * (classes == labels).mean():.1f} %, output spikes per "
          f"sample {spikes['output'].sum() / len(x):.1f}")
    if "--check" in sys.argv:
        kept = np.load(HERE / "spikes.npz")
        equal = (kept["output"] == spikes["output"]).all()
        sys.exit(0 if equal else "FAILED: other spikes")
    (HERE / "shapes.net").write_bytes(made)
    np.savez_compressed(HERE / "spikes.npz", output=spikes["output"].astype("u1"))


if __name__ == "__main__":
    main()

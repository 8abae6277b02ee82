# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PilotNet LIF of lava-dl on loihi2 beside the raster that lava-dl recorded, neuron by neuron.

    python3 tests/bench/netx_raster.py build/bin/dendrolith FOLDER

FOLDER is gts/pilotnet_lif of the NetX tests of github.com/lava-nc/lava-dl (BSD-3): network.net, image.npy and the
spikes of nine layers over 24 steps. Its layers begin again after 17 steps, each one step later than the layer before,
and its image is what the input layer adds to its potential in every step. Exit code 1 if a neuron differs.
"""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

LAYERS = {0: "input", **{i + 1: f"conv-{i}" for i in range(5)}, **{i + 7: f"fc-{i}" for i in range(3)}}


def main(dendrolith, source):
    folder = pathlib.Path(source)
    recorded = {f"layer{i}": np.load(folder / f"{name}.npy") for i, name in LAYERS.items()}
    steps = recorded["layer0"].shape[-1]
    with tempfile.TemporaryDirectory() as place:
        image = np.load(folder / "image.npy").T.astype(np.int32)  # channels, rows, columns
        np.save(f"{place}/x.npy", np.repeat(image[None], steps, 0))
        subprocess.run([dendrolith, "run", folder / "network.net", "--input", f"{place}/x.npy", "--target", "loihi2",
                        "--map-for", "cores", "--import", "reset-interval=17", "--trace", ",".join(recorded),
                        "--out", f"{place}/out"], check=True, stdout=subprocess.DEVNULL)
        found = dict(np.load(f"{place}/out/traces.npz"))
    differ = 0
    for i, name in LAYERS.items():
        wanted = recorded[f"layer{i}"].T.reshape(steps, -1)
        other = found[f"layer{i}"].reshape(steps, -1).astype(bool) != wanted
        differ += int(other.any(0).sum())
        print(f"{name:7} {int(other.any(0).sum()):6} of {wanted.shape[1]:6} neurons differ, {int(other.sum()):6} of "
              f"{int(wanted.sum()):7} spikes")
    return int(differ > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

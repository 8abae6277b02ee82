# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Importers of installed tools read what `export --format nir` writes: readers.py DENDROLITH.

Each network is one that the importer's own rule can hold (snnTorch and Norse reset to zero,
Sinabs takes thresholds off, SpikingJelly resets to a value). They compute in float32. A tool that is not installed
is skipped, and said to be.
"""
import contextlib
import importlib
import io
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy as np

RECORDINGS = pathlib.Path(__file__).parent / "recordings"
#: By importer: networks (the tool that trained them, their name) and keys of --import.
READS = {
    "snntorch": [("snntorch", "leaky_zero_now", "reset=zero,reset-when=same"),
                 ("snntorch", "leaky_zero_now", "from=nir,dt=1e-4")],
    "norse": [("norse", "box", ""), ("norse", "box_slow", ""), ("norse", "lif", "")],
    "sinabs": [("sinabs", "iaf", "preset=sinabs"), ("sinabs", "lif_raw", "preset=sinabs")],
    "spikingjelly": [("spikingjelly", "lif", ""), ("spikingjelly", "lif_input", "")],
}
#: Its importer takes an IF of r = 1 / dt alone, and NIR's own is v += r x.
REFUSED = {"spikingjelly": [("spikingjelly", "if", ""), ("spikingjelly", "if_reset", "")]}


def steps_of(net, x, state=None):
    rows = []
    for step in x:
        row, state = net(step[None], state)
        rows.append(row[0].numpy().copy())
    return np.array(rows)


def snntorch(graph, x, dt):
    from snntorch.import_nir import import_from_nir
    return steps_of(import_from_nir(graph).float(), x)


def norse(graph, x, dt):
    import norse.torch
    return steps_of(norse.torch.from_nir(graph, dt=dt), x)


def sinabs(graph, x, dt):
    from sinabs.nir import from_nir
    net = from_nir(graph, batch_size=1).float()
    out = net(x)
    return (out[0] if isinstance(out, tuple) else out).numpy()


def spikingjelly(graph, x, dt):
    from spikingjelly.activation_based.nir_exchange import import_from_nir
    return steps_of(import_from_nir(graph, dt=dt).float(), x)


def differ(tool, case, binary, folder):
    import nir
    import torch
    trained, name, keys = case
    with np.load(RECORDINGS / f"{trained}.npz") as file:
        (folder / "net.nir").write_bytes(file[f"{name}/net"].tobytes())
        np.save(folder / "x.npy", file[f"{name}/x"].astype(np.float32))
    told = ["--import", keys] if keys else []
    subprocess.run([binary, "run", folder / "net.nir", "--engine", "float", "--input",
                    folder / "x.npy", "--out", folder, *told], check=True, capture_output=True)
    subprocess.run([binary, "export", folder / "net.nir", "--format", "nir", "-o",
                    folder / "told.nir", *told], check=True, capture_output=True)
    graph = nir.read(folder / "told.nir")
    dt = float(graph.metadata.get("dt", 1))
    x = torch.from_numpy(np.load(folder / "x.npy"))
    with torch.no_grad(), contextlib.redirect_stdout(io.StringIO()):
        rows = globals()[tool](graph, x, dt)
    ours = np.squeeze(np.load(folder / "outputs.npy"))
    return int((np.asarray(rows) != ours).sum()), ours.size, int((ours != 0).sum())


def main(binary):
    wrong = 0
    for tool, cases in READS.items():
        try:
            importlib.import_module(tool)
        except ImportError:
            print(f"skipped: {tool} is not installed", flush=True)
            continue
        for case in cases:
            with tempfile.TemporaryDirectory() as folder:
                count, size, spikes = differ(tool, case, binary, pathlib.Path(folder))
            print(f"{tool} reads {case[0]} {case[1]}: {count} of {size} values differ, "
                  f"{spikes} spikes", flush=True)
            wrong += count > 0 or spikes == 0
        for case in REFUSED.get(tool, []):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    differ(tool, case, binary, pathlib.Path(folder))
                    told = ""
                except (ValueError, NotImplementedError) as error:
                    told = str(error)
            print(f"{tool} refuses {case[0]} {case[1]}: {told or 'not any more'}", flush=True)
            wrong += not told
    return bool(wrong)


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    sys.exit(main(sys.argv[1]))

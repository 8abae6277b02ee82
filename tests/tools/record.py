# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what the installed tools compute: record.py FOLDER [TOOL ...] writes TOOL.npz.

For each network: the NIR file of the tool's exporter (net), its input (x), what came out
(out) and the potential of each layer behind every step (v:LAYER), or why the tool cannot
export it. `about` holds versions and what is special about each, as JSON.
"""
import contextlib
import importlib.metadata
import io
import json
import os
import pathlib
import sys
import tempfile
import warnings

import numpy as np
import torch

from networks import TOOLS, X

SEEDED = "weights: NumPy's default_rng by the CRC-32 of the network's name"


def file_of(graph):
    """The bytes that the package nir writes."""
    import nir
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "net.nir")
        nir.write(path, graph)
        return np.frombuffer(path.read_bytes(), np.uint8)


def weights_of(name, net):
    """Dense layers of a network that has no file."""
    return {f"{name}/{kind}:{i}": getattr(layer, kind).detach().numpy()
            for i, layer in enumerate(net) if isinstance(layer, torch.nn.Linear)
            for kind in ("weight", "bias")} if isinstance(net, torch.nn.Sequential) else {}


def record(tool):
    arrays, about = {}, {}
    for case in tool.cases():
        told = about[case.name] = {"about": case.about, "keys": case.keys, "lost": case.lost}
        x = tool.input(case) if hasattr(tool, "input") else X
        with torch.no_grad():
            net, rows, states = tool.run(case.make(case), tool.given(x))
        rows = np.asarray(rows)
        whole = np.array_equal(rows, rows.astype(np.uint8))
        arrays[f"{case.name}/x"] = x.astype(np.uint8)
        arrays[f"{case.name}/out"] = rows.astype(np.uint8) if whole else rows
        for layer, values in states.items():
            arrays[f"{case.name}/v:{layer}"] = np.array(values).reshape(len(x), -1)
        weights = weights_of(case.name, net)  # exporters change the network
        try:
            arrays[f"{case.name}/net"] = file_of(tool.export(net, tool.given(x)))
        except Exception as error:  # whatever a tool's exporter throws
            arrays.update(weights)
            told["error"] = f"{type(error).__name__}: {' '.join(str(error).split())[:120]}"
    return arrays, about


def main(folder, *names):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for kind in TOOLS:
        if names and kind.name not in names:
            continue
        with contextlib.redirect_stdout(io.StringIO()):
            arrays, networks = record(kind())
        versions = {one: importlib.metadata.version(one) for one in ("torch", *kind.packages)}
        about = {"versions": versions, "seed": SEEDED, "script": "record.py",
                 "networks": networks}
        path = folder / f"{kind.name}.npz"
        np.savez_compressed(path, about=json.dumps(about, indent=1), **arrays)
        errors = sum("error" in one for one in networks.values())
        print(f"{kind.name}: {len(networks)} networks, {errors} not exported, "
              f"{os.path.getsize(path)} bytes", flush=True)


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    main(*sys.argv[1:])

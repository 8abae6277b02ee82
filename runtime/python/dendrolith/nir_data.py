# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recordings beside a NIR graph (NIRData): files of arrays by node, as the package nir
writes and reads them."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Union

import numpy as np

from .arrays import ArrayLike, to_numpy
from .errors import DendrolithError
from .nir_file import h5
from .texts import path_of, replacing

#: By node: an array, or arrays by what was observed.
Recordings = Mapping[str, Union[ArrayLike, Mapping[str, ArrayLike]]]


def _gridded(value: Any, where: str) -> np.ndarray:
    """An array as (samples, steps, neurons), booleans where all is 0 or 1."""
    array = to_numpy(value, where)
    if array.ndim < 2:
        raise DendrolithError(
            f"{where}: shape {array.shape}, expected (samples, steps, neurons) or "
            "(steps, neurons)"
        )
    array = array[None] if array.ndim == 2 else array
    array = array.reshape(*array.shape[:2], -1)
    return array.astype(bool) if np.isin(array, (0, 1)).all() else array


def write_nir_data(path: Any, recordings: Recordings, dt: float) -> None:
    """Write inputs, spikes or states as NIRData: {"input": x, "lif1": {"s": spikes}}.

    Arrays are (samples, steps, neurons) or (steps, neurons) on a grid of `dt` seconds;
    without a name of its own an array is "data".
    """
    if not dt > 0:
        raise DendrolithError(f"write_nir_data: dt is {dt}, expected seconds above 0")
    with replacing(path_of(path, "write_nir_data")) as part, h5().File(part, "w") as file:
        file.attrs["__type__"] = "NIRGraphData"
        nodes = file.create_group("nodes")
        for name, observed in recordings.items():
            node = nodes.create_group(str(name))
            node.attrs["__type__"] = "NIRNodeData"
            own = observed if isinstance(observed, Mapping) else {"data": observed}
            for key, value in own.items():
                group = node.create_group(f"observables/{key}")
                group.attrs["__type__"] = "TimeGriddedData"
                group.attrs["dt"] = float(dt)
                data = _gridded(value, f"write_nir_data: '{name}'")
                group.create_dataset("data", data=data, compression="gzip")


def _of_events(group: Any, where: str, dt: Optional[float]) -> np.ndarray:
    """Events on a grid of dt: how many, or the sum of their values."""
    if not dt or not dt > 0:
        raise DendrolithError(
            f"{where} holds events; give dt, the seconds of a step", hint="give dt"
        )
    index, time = np.asarray(group["idx"]), np.asarray(group["time"])
    steps = int(round(float(group.attrs["t_max"]) / dt))
    grid = np.zeros((len(index), steps, int(group.attrs["n_neurons"])))
    value = np.asarray(group["value"]) if "value" in group else np.ones(index.shape)
    there = (index >= 0) & np.isfinite(time)
    step = np.floor(np.where(there, time, 0) / dt + 1e-6).astype(int)
    late = there & ((step >= steps) | (step < 0) | (index >= grid.shape[2]))
    if late.any():
        raise DendrolithError(
            f"{where} has an event of neuron {index[late][0]} at {time[late][0]} s, expected "
            f"{grid.shape[2]} neurons and less than {group.attrs['t_max']} s"
        )
    np.add.at(grid, (np.nonzero(there)[0], step[there], index[there]), value[there])
    return grid


def read_nir_data(path: Any, dt: Optional[float] = None) -> Dict[str, Any]:
    """Return the arrays (samples, steps, neurons) of a NIRData file by node, or by node and
    observable where a node has several. `dt` puts events on a grid."""
    where = path_of(path, "read_nir_data")
    try:
        with h5().File(where, "r") as file:
            if file.attrs.get("__type__") != "NIRGraphData":
                raise DendrolithError(f"{where}: is no NIRData file, as nir.write_data writes it")
            return _nodes(file["nodes"], where, dt)
    except (OSError, KeyError, ValueError) as error:
        raise DendrolithError(f"{where}: is damaged, or no NIRData file: {error}") from error


def _nodes(nodes: Any, where: str, dt: Optional[float]) -> Dict[str, Any]:
    found: Dict[str, Any] = {}
    for name, node in nodes.items():
        if "nodes" in node:
            for inner, value in _nodes(node["nodes"], where, dt).items():
                found[f"{name}.{inner}"] = value
            continue
        observed = {}
        for key, group in node["observables"].items():
            place = f"{where}: '{name}'"
            is_gridded = "data" in group
            observed[key] = (
                np.asarray(group["data"], float) if is_gridded else _of_events(group, place, dt)
            )
        found[name] = next(iter(observed.values())) if len(observed) == 1 else observed
    return found

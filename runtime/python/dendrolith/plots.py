# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of a result, drawn by matplotlib, which nothing else needs.

Every function takes `ax`, the axes to draw into, makes its own where it is None,
and returns them.
"""

from __future__ import annotations

import re
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from .errors import DendrolithError
from .parts import scaled
from .texts import replacing, written
from .worker import POOL


#: The colours of Okabe and Ito, as the pages have them.
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#b3589a", "#a07800", "#3b83b5")


def _field(number: int, value: Any) -> bytes:
    """A field of a protobuf message: a whole number, a text, or a message's bytes."""

    def varint(value: int) -> bytes:
        out = b""
        while value > 127:
            out, value = out + bytes([value & 127 | 128]), value >> 7
        return out + bytes([value])

    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def _onnx(network: Mapping[str, Any]) -> bytes:
    """The network as an ONNX model of operators in a domain of their own: a node for
    each population and each projection, without weights."""

    def attribute(name: str, value: Any) -> bytes:
        told = _field(3, value) + _field(20, 2) if isinstance(value, int) else (
            _field(4, value) + _field(20, 3))
        return _field(5, _field(1, name) + told)

    def node(kind: str, name: str, takes: Sequence[str], gives: str, facts: Mapping[str, Any]) -> bytes:
        told = b"".join(_field(1, each) for each in takes) + _field(2, gives)
        told += _field(3, name) + _field(4, kind) + _field(7, "dendrolith")
        return _field(1, told + b"".join(attribute(*fact) for fact in facts.items()))

    def tensor(each: Mapping[str, Any]) -> bytes:
        shape = b"".join(_field(1, _field(1, size)) for size in each["shape"])
        return _field(1, each["name"]) + _field(2, _field(1, _field(1, 1) + _field(2, shape)))

    into: Dict[str, List[str]] = {}
    synapses = {}
    for number, edge in enumerate(network["edges"]):
        name = f"{edge['from']} to {edge['to']}.{edge['port']} {number}"
        into.setdefault(edge["to"], []).append(name)
        facts = {key: edge[key] for key in ("synapses", "delay_ticks")}
        synapses[name] = (edge["from"], node(edge["kind"], name, [edge["from"]], name, facts))
    graph, known = b"", {each["name"] for each in network["nodes"] if each["kind"] == "input"}
    left = [each for each in network["nodes"] if each["name"] not in known]
    while left:  # in the order of the signals; a loop is entered at its first population
        each = next((each for each in left if all(
            synapses[name][0] in known for name in into.get(each["name"], []))), left[0])
        left.remove(each)
        known.add(each["name"])
        names = into.get(each["name"], [])
        graph += b"".join(synapses[name][1] for name in names)
        states = ", ".join(state["name"] for state in each["states"])
        graph += node(each["model"] or each["kind"], each["name"], names, each["name"],
                      {"neurons": each["neurons"], "states": states})
    graph += _field(2, "network")
    for each in network["nodes"]:
        if each["kind"] == "input":
            graph += _field(11, tensor(each))
        elif each["outputs"]:
            graph += _field(12, tensor(each))
    sets = _field(8, _field(1, "dendrolith") + _field(2, 1)) + _field(8, _field(2, 17))
    return _field(1, 8) + _field(2, "dendrolith") + _field(7, graph) + sets


class Drawing:
    """A picture of a network as SVG, which notebooks show: layers, synapses, delays,
    and the states of neurons as trees."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        self.svg = told["svg"]
        self._network = told["network"]

    def _shape(self) -> Mapping[str, Any]:
        if not self._network:
            raise DendrolithError("an image does not hold the network that it was compiled from; "
                                  "load the model's file")
        return self._network

    def save(self, path: Any) -> None:
        """Write NAME.svg, or NAME.onnx for Netron, without weights."""
        where = written(path, "save")
        if not where.endswith((".svg", ".onnx")):
            raise DendrolithError(f"{where}: a drawing is SVG or ONNX; give a name that ends in "
                                  ".svg or .onnx")
        data = self.svg.encode() if where.endswith(".svg") else _onnx(self._shape())
        with replacing(where) as part, open(part, "wb") as file:
            file.write(data)

    def draw(self, ax: Any = None) -> Any:
        """Draw it by matplotlib."""
        shape = self._shape()
        depth = {each["name"]: 0 for each in shape["nodes"] if each["kind"] == "input"}
        ahead = list(depth)
        for name in ahead:  # grows
            for edge in shape["edges"]:
                if edge["from"] == name and edge["to"] not in depth:
                    depth[edge["to"]] = depth[name] + 1
                    ahead.append(edge["to"])
        ax = _axes(ax)
        rows: Dict[int, int] = {}
        places = {}
        for each in shape["nodes"]:
            column = depth.setdefault(each["name"], 0)
            rows[column] = rows.get(column, 0) + 1
            places[each["name"]] = (column, 1 - rows[column])
            size = " x ".join(map(str, each["shape"]))
            ax.text(*places[each["name"]], f"{each['name']}\n{size} {each['model'] or each['kind']}",
                    ha="center", va="center", bbox={"boxstyle": "round", "fc": "white", "ec": PALETTE[0]})
        for edge in shape["edges"]:
            start, end = places[edge["from"]], places[edge["to"]]
            bend = 0.4 if start[0] >= end[0] else 0.0
            ax.annotate("", end, start, arrowprops={
                "arrowstyle": "->", "color": PALETTE[1], "shrinkA": 28, "shrinkB": 28,
                "connectionstyle": f"arc3,rad={bend}"})
            delay = f", delay {edge['delay_ticks']}" if edge["delay_ticks"] else ""
            ax.text((start[0] + end[0]) / 2, (start[1] + end[1]) / 2 + 0.12 + bend / 4,
                    f"{edge['synapses']:,} {edge['kind']}{delay}", ha="center", fontsize="small")
        ax.set(xlim=(-0.6, max(depth.values()) + 0.6), ylim=(0.5 - max(rows.values()), 0.6))
        ax.axis("off")
        return ax

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<dendrolith.Drawing, {len(self.svg)} bytes of SVG; save(NAME.svg) writes it>"


def _colour(number: int) -> str:
    return PALETTE[number % len(PALETTE)]


def _axes(ax: Any, size: Tuple[float, float] = (7.0, 3.5)) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as pyplot  # type: ignore[import]
    except ImportError as error:
        raise DendrolithError(
            "matplotlib is not installed, which draws plots; install it "
            "(pip install matplotlib; Debian: python3-matplotlib), or read the numbers "
            "of the result",
            hint="install matplotlib",
        ) from error
    return pyplot.subplots(figsize=size, constrained_layout=True)[1]


def _sample(array: np.ndarray, sample: int, what: str) -> "np.ndarray[Any, Any]":
    """Return (steps, neurons) of one sample; without samples there is one."""
    if array.ndim < 3:
        array = array[None]
    if not -array.shape[0] <= sample < array.shape[0]:
        raise DendrolithError(
            f"{what}: there is no sample {sample}, expected 0 to {array.shape[0] - 1}"
        )
    return np.reshape(array[sample], (array.shape[1], -1))


class Plot:
    """The pictures of one result: `result.plot.raster("lif1")`."""

    def __init__(self, result: Any) -> None:
        self._result = result

    def __call__(self, ax: Any = None) -> Any:
        """Draw the energy of the layers."""
        return self.energy(ax=ax)

    def network(self) -> Drawing:
        """The layers and the synapses between them, with rates, messages and energy."""
        data = self._result.data
        keys = ("network", "layers", "samples", "spike_values")
        request = {key: data.get(key) for key in keys}
        if data["mapping"]:
            request["mapping"] = {"placement": data["mapping"]["placement"]}
        with POOL.worker() as worker:
            flows = self._result.tables.get("flows")
            told = worker.ask({"do": "draw", "result": request, "flows": flows})
        return Drawing(told)

    def raster(self, layer: str, sample: int = 0, ax: Any = None) -> Any:
        """Spikes of a layer in one sample; it needs trace=[layer]."""
        spikes = _sample(self._result.traces[layer], sample, layer)
        steps, neurons = np.nonzero(spikes)
        ax = _axes(ax)
        ax.scatter(steps, neurons, s=4, marker="|", color=PALETTE[0])
        ax.set(xlim=(-0.5, len(spikes) - 0.5), ylim=(-0.5, spikes.shape[1] - 0.5))
        ax.set(xlabel="step", ylabel="neuron", title=f"{layer}, sample {sample}")
        return ax

    def trace(
        self,
        name: str,
        sample: int = 0,
        neurons: Optional[Sequence[int]] = None,
        ax: Any = None,
    ) -> Any:
        """A state over time in the units of the model; it needs trace=[name]. The
        first five neurons are drawn, or those that are given."""
        values = _sample(self._result.traces[name], sample, name)
        chosen = list(range(min(5, values.shape[1]))) if neurons is None else neurons
        ax = _axes(ax)
        for line, neuron in enumerate(chosen):
            ax.plot(values[:, neuron], color=_colour(line), label=f"neuron {neuron}")
        ax.set(xlabel="step", ylabel=name, title=f"{name}, sample {sample}")
        ax.legend(fontsize="small")
        return ax

    def rates(self, ax: Any = None) -> Any:
        """The share of updates at which each layer emitted something."""
        layers = [layer for layer in self._result.layers.values() if layer.rate is not None]
        ax = _axes(ax)
        ax.barh(
            [layer.name for layer in layers],
            [100 * (layer.rate or 0) for layer in layers],
            color=PALETTE[0],
        )
        ax.invert_yaxis()
        ax.set(xlabel="% of neuron updates that emit", title="Rates")
        return ax

    def confusion(self, ax: Any = None) -> Any:
        """How often each class was answered to each label; it needs labels."""
        counts = self._result.confusion
        if counts is None:
            raise DendrolithError(
                "confusion needs labels of classes; run with labels=y",
                hint="run with labels=y",
            )
        ax = _axes(ax, (4.5, 4.0))
        ax.imshow(counts, cmap="Blues")
        if len(counts) <= 20:
            for (row, column), count in np.ndenumerate(counts):
                dark = count > counts.max() / 2
                ax.text(
                    column,
                    row,
                    str(count) if count else "",
                    ha="center",
                    va="center",
                    fontsize="small",
                    color="white" if dark else "black",
                )
        ax.set(xlabel="answer", ylabel="label", title="Confusion")
        return ax

    def energy(self, by: str = "layer", ax: Any = None) -> Any:
        """Energy of a sample in events, by "layer" or by "event": a bar up to the
        low end, and a line up to the high end of the band."""
        if by == "layer":
            rows: List[Tuple[str, Any]] = [
                (layer.name, layer.energy) for layer in self._result.layers.values()
            ]
        elif by == "event":
            rows = list(self._result.energy.by_event.items())
        else:
            raise DendrolithError(f"energy: by is '{by}', expected layer or event")
        rows = [(name, band) for name, band in rows if band.low or band.high]
        if not rows:
            raise DendrolithError(
                "nothing has a price here; run on a chip that has a cost table, as "
                "loihi1 or loihi2"
            )
        low = np.array([band.low or 0.0 for _, band in rows]) * 1e9
        high = np.array([band.high or 0.0 for _, band in rows]) * 1e9
        ax = _axes(ax)
        ax.barh([name for name, _ in rows], low, color=PALETTE[0], label="low end of the band")
        if (high > low).any():
            up = np.maximum(low, high)
            ax.hlines(range(len(rows)), low, up, color="black", lw=2, label="up to the high end")
            ax.legend(fontsize="small", loc="lower right")
        ax.invert_yaxis()
        ax.set(xlabel="nJ per sample", title=str(self._result.energy))
        return ax

    def latency(self, ax: Any = None) -> Any:
        """How long samples took, as a histogram; it needs engine="cycle"."""
        each = self._result.latency.per_sample
        if each is None:
            raise DendrolithError(
                "latency needs a clock; run with engine='cycle'",
                hint="run with engine='cycle'",
            )
        ax = _axes(ax)
        ax.hist(each * 1e6, bins=min(40, max(5, len(each) // 5)), color=PALETTE[0])
        ax.axvline(float(np.mean(each)) * 1e6, color="black", ls="--")
        ax.set(xlabel="us", ylabel="samples", title=str(self._result.latency))
        return ax

    def steps(self, ax: Any = None) -> Any:
        """How long each step took, the mean over samples; it needs
        engine="cycle"."""
        latency = self._result.tables.get("latency")
        if not latency:
            raise DendrolithError("steps need a clock; run with engine='cycle'")
        ax = _axes(ax)
        times = latency["per_step_ns"]
        ax.step(range(len(times)), times, where="mid", color=PALETTE[0])
        ax.set(xlabel="step", ylabel="ns", title="Time of a step, mean over samples")
        ax.set_ylim(bottom=0)
        return ax

    def fit(self, ax: Any = None) -> Any:
        """How full the fullest core is, by resource."""
        rows = [row for row in self._result.data["fit"] or [] if row["limit"]]
        if not rows:
            raise DendrolithError("fit needs a chip; run on one that has limits")
        shares = [100 * row["used"] / row["limit"] for row in rows]
        ax = _axes(ax)
        ax.barh([row["resource"] for row in rows], shares, color=PALETTE[0])
        ax.axvline(100, color=PALETTE[1])
        ax.invert_yaxis()
        ax.set(xlabel="% of the limit, on the worst core", title="Fit")
        return ax

    def chip(self, what: str = "synops", ax: Any = None) -> Any:
        """A map of the chip's cores, each as dark as it has counts of `what`:
        "synops", "neuron_updates", or another name of tables["counts"]."""
        cores = (self._result.tables.get("counts") or {}).get("cores")
        target = self._result.data["target"]
        if not cores or not target:
            raise DendrolithError("chip needs counts of cores; run on a chip")
        across, down, each, chips_x, chips_y = _mesh(target["yaml"])
        wide, high = _split(each)
        picture = np.full((chips_y * down * high, chips_x * across * wide), np.nan)
        for core, counts in cores.items():
            tile, place = divmod(int(core), each)
            chip, tile = divmod(tile, across * down)
            row = (chip // chips_x * down + tile // across) * high + place // wide
            column = (chip % chips_x * across + tile % across) * wide + place % wide
            picture[row, column] = _count(counts, what)
        across, down = across * chips_x, down * chips_y
        ax = _axes(ax, (7.0, 7.0 * max(0.3, picture.shape[0] / picture.shape[1])))
        image = ax.imshow(picture, cmap="viridis", vmin=0)
        ax.figure.colorbar(image, ax=ax, label=f"{what} of the whole run")
        for line in range(1, across):
            ax.axvline(line * wide - 0.5, color="grey", lw=0.5)
        for line in range(1, down):
            ax.axhline(line * high - 0.5, color="grey", lw=0.5)
        ax.set(xticks=[], yticks=[])
        ax.set(title=f"{target['name']}: {len(cores)} cores used, a box is a tile")
        return ax


def _mesh(yaml: str) -> Tuple[int, int, int, int, int]:
    """Read tiles of a chip across and down, cores of a tile, and chips across and down."""
    found = []
    for key in ("tiles_x", "tiles_y", "cores_per_tile", "chips_x", "chips_y"):
        match = re.search(rf"^\s*{key}:\s*(?:\{{\s*value:\s*)?(\d+)", yaml, re.MULTILINE)
        found.append(int(match.group(1)) if match else 1)
    return found[0], found[1], found[2], found[3], found[4]


def _split(each: int) -> Tuple[int, int]:
    """Lay out the cores of a tile as squarely as they go."""
    high = int(np.sqrt(each))
    while each % high:
        high -= 1
    return each // high, high


def _count(counts: Any, what: str) -> float:
    """Return a count, or the sum of those below its name ("synops" has parts)."""
    for part in what.split("."):
        if not isinstance(counts, dict) or part not in counts:
            have = ", ".join(counts) if isinstance(counts, dict) else "none"
            raise DendrolithError(f"chip: no count '{what}', expected one of {have}")
        counts = counts[part]

    def total(value: Any) -> float:
        if isinstance(value, dict):
            return sum(total(one) for one in value.values())
        return float(value)

    return total(counts)


def draw_both(
    title: str, name: str, ours: np.ndarray, theirs: np.ndarray, sample: int
) -> Any:
    """Draw an array of two results over time, up to five elements of it."""
    first, second = _sample(ours, sample, name), _sample(theirs, sample, name)
    ax = _axes(None)
    for element in range(min(5, first.shape[1])):
        colour = _colour(element)
        ax.plot(first[:, element], color=colour, label=f"element {element}")
        ax.plot(second[:, element], color=colour, ls="--")
    ax.set(xlabel="step", ylabel=name, title=title)
    ax.legend(fontsize="small")
    return ax

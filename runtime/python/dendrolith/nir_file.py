# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of plain arrays as NIR files, which h5py writes."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from .arrays import to_numpy
from .errors import DendrolithError
from .flags import convention_text
from .layers import Layer, Recurrent, Shape, recurrence, whole
from .network import Network
from .texts import clean, kind_of

#: A layer, or a name and a layer; MaxPool2d is two.
Item = Union[Layer, Recurrent, List[Layer], Tuple[str, Union[Layer, Recurrent]]]

_NAMES = {
    "Linear": "fc",
    "Affine": "fc",
    "Conv1d": "conv",
    "Conv2d": "conv",
    "AvgPool2d": "pool",
    "SumPool2d": "pool",
}


#: What the importer does in a step of a neuron, with what it does unless it is told;
#: each may be of one node.
_STEP = {
    "reset": "value",
    "reset_when": "same",
    "threshold": "gt",
    "spikes_per_step": "one",
    "v_min": None,
    "spike_value": "unit",
    "current_order": "new",
}
_SPIKES = ("IF", "LIF", "CubaLIF")
_NO_LEAST = 1e8  #: thresholds below 0 that no potential reaches


def h5() -> Any:
    """The package h5py."""
    try:
        import h5py  # type: ignore[import]
    except ImportError as error:
        raise DendrolithError(
            "h5py is not installed, which writes NIR files; install it "
            "(pip install h5py; Debian: python3-h5py), or write the file with the package nir",
            hint="install h5py",
        ) from error
    return h5py


def _put(group: Any, key: str, value: Any) -> None:
    """Write a member of a node: a text, numbers, or a group of them."""
    if isinstance(value, Mapping):
        below = group.create_group(key)
        for name, one in value.items():
            _put(below, str(name), one)
    elif isinstance(value, str):
        group.create_dataset(key, data=value, dtype=h5().string_dtype("utf-8"))
    elif value is not None:
        array = to_numpy(value, key) if hasattr(value, "detach") else np.asarray(value)
        group.create_dataset(key, data=array)


def _put_graph(group: Any, graph: Any) -> None:
    """Write an object with nodes and edges, as the package nir has them."""
    text = h5().string_dtype("utf-8")
    _put(group, "type", "NIRGraph")
    edges = np.array([[str(a), str(b)] for a, b in graph.edges], dtype=object)
    group.create_dataset("edges", data=edges.reshape(-1, 2), dtype=text)
    metadata = dict(getattr(graph, "metadata", None) or {})
    if metadata:
        _put(group, "metadata", metadata)
    nodes = group.create_group("nodes")
    for name, node in graph.nodes.items():
        below = nodes.create_group(str(name))
        if hasattr(node, "nodes") and hasattr(node, "edges"):
            _put_graph(below, node)
            continue
        for key, value in node.to_dict().items():
            if key != "metadata" or value:
                _put(below, key, value)


def graph_bytes(graph: Any) -> bytes:
    """Return the file of a graph in memory. Numbers alone, which nir.write refuses,
    stand for all neurons of a layer."""
    buffer = io.BytesIO()
    with h5().File(buffer, "w") as file:
        _put(file, "version", "1.0")
        _put_graph(file.create_group("node"), graph)
    return buffer.getvalue()


class _Graph:
    """Nodes and edges in the order in which they are added."""

    def __init__(self) -> None:
        self.nodes: Dict[str, Tuple[str, Dict[str, Any]]] = {}
        self.edges: List[Tuple[str, str]] = []
        self.conventions: Dict[str, Any] = {}
        self.words: Dict[str, str] = {}
        self._dt_of = ""
        self._has_spikes = False

    def add(self, name: str, layer: Layer, given: Shape) -> None:
        if name in self.nodes:
            raise DendrolithError(f"two layers are named '{name}'", node=name)
        if not isinstance(name, str) or not re.fullmatch(r"[^/.]+", name):
            raise DendrolithError(
                f"a layer cannot be named '{name}': NIR has no '/' or '.' in names",
                node=name,
            )
        self.nodes[name] = (layer.kind, layer.datasets(given))
        self.words.update(layer.words)
        dt = layer.conventions.get("dt")
        if dt is not None and self.conventions.setdefault("dt", dt) != dt:
            raise DendrolithError(
                f"layer '{name}' needs dt={dt}, layer '{self._dt_of}' "
                f"dt={self.conventions['dt']}, and a network has one for all of its "
                "layers; make both neurons with the same dt",
                node=name,
            )
        self._dt_of = self._dt_of or (name if dt is not None else "")
        self._add_step(name, layer)

    def _add_step(self, name: str, layer: Layer) -> None:
        """The first neuron that says what a step does says it for the network; where
        another one differs, it has keys of its own."""
        own = layer.conventions
        if not own or layer.kind not in (*_SPIKES, "CubaLI"):
            return
        spikes = layer.kind in _SPIKES
        first = spikes and not self._has_spikes
        self._has_spikes = self._has_spikes or spikes
        for key, usual in _STEP.items():
            value = own.get(key, usual)
            if not spikes and key != "current_order":
                continue
            if (first and key in own) or (not self._has_spikes and key in own):
                self.conventions.setdefault(key, value)
            if value != self.conventions.get(key, usual):
                self.conventions[f"{name}:{key}"] = _NO_LEAST if value is None else value

    def content(self, dt: Optional[float], conventions: Mapping[str, Any]) -> bytes:
        """The file, which says its own rule: metadata "import" of the graph, and of
        the nodes that differ from it."""
        said: Dict[str, List[str]] = {"": []}
        # A preset and a tool come first, as the other keys change what they set.
        for key in sorted(conventions, key=lambda one: one not in ("preset", "from_")):
            name, _, pair = convention_text(key, conventions[key]).rpartition(":")
            if pair:
                said.setdefault(name, []).append(pair)
        if not any(pair.startswith(("reset=", "preset=", "from=")) for pair in said[""]):
            said[""].append("reset=value")
        buffer = io.BytesIO()
        text = h5().string_dtype("utf-8")
        with h5().File(buffer, "w") as file:
            file.create_dataset("version", data="1.0", dtype=text)
            root = file.create_group("node")
            root.create_dataset("type", data="NIRGraph", dtype=text)
            root.create_dataset("edges", data=np.array(self.edges, dtype=object), dtype=text)
            metadata = root.create_group("metadata")
            metadata.create_dataset("producer", data="dendrolith", dtype=text)
            if dt is not None:
                metadata.create_dataset("dt", data=dt)
            metadata.create_dataset("import", data=",".join(said.pop("")), dtype=text)
            nodes = root.create_group("nodes")
            for name, (kind, datasets) in self.nodes.items():
                node = nodes.create_group(name)
                node.create_dataset("type", data=kind, dtype=text)
                for key, value in datasets.items():
                    if isinstance(value, str):
                        node.create_dataset(key, data=value, dtype=text)
                    else:
                        node.create_dataset(key, data=value)
                if name in said:
                    own = ",".join(said[name])
                    node.create_dataset("metadata/import", data=own, dtype=text)
        return buffer.getvalue()


def _shape_in_front(layers: Sequence[Any], given: Optional[Sequence[int]]) -> Shape:
    if given is not None:
        return tuple(int(extent) for extent in whole(given, "input_shape").reshape(-1))
    for layer in layers:
        found = layer.in_shape() if isinstance(layer, Layer) else None
        if found is not None:
            return found
        break
    raise DendrolithError(
        "from_layers: the first layer does not say what it takes; give input_shape, "
        "the shape of a step: (n,) or (channels, rows, columns)",
        hint="give input_shape",
    )


def _of_layer(name: str, error: DendrolithError) -> DendrolithError:
    if error.node is not None:
        return error
    return type(error)(f"layer '{name}': {error.message}", node=name, hint=error.hint)


def _claimed(node: Layer, behind: Sequence[Any]) -> Optional[Shape]:
    """The shape behind a layer that is wrong, where its arrays or the next one say
    it: so much can be known of the layers behind it."""
    if node.kind in ("Linear", "Affine"):
        return (int(node.arrays["weight"].shape[0]),)
    following = behind[0] if behind else None
    return following.in_shape() if isinstance(following, Layer) else None


def _together(faults: Sequence[DendrolithError]) -> DendrolithError:
    """All that is wrong as one error, a line for each, of the first one's kind."""
    first = faults[0]
    if len(faults) == 1:
        return first
    text = "\n".join(fault.message for fault in faults)
    return type(first)(text, node=first.node, hint=first.hint)


def _sends_bits(layer: Any, conventions: Mapping[str, Any]) -> bool:
    """Whether what leaves a layer is 0 or 1."""
    node = layer.neuron if isinstance(layer, Recurrent) else layer
    if not isinstance(node, Layer) or node.kind not in (*_SPIKES, "Threshold"):
        return False
    told = {**node.conventions, **conventions}
    return told.get("spikes_per_step", "one") == "one" and (
        told.get("spike_value", "unit") == "unit" or node.kind == "Threshold"
    )


def _named(layers: Any, conventions: Mapping[str, Any]) -> List[Tuple[Optional[str], Any]]:
    """Layers with the names that were given."""
    named: List[Tuple[Optional[str], Any]] = []
    if isinstance(layers, (str, Layer, Recurrent)) or not hasattr(layers, "__iter__"):
        raise DendrolithError(
            f"from_layers: expected a list of layers, found {kind_of(layers)}"
        )
    for item in layers:
        if isinstance(item, list):
            if not named or not _sends_bits(named[-1][1], conventions):
                raise DendrolithError(
                    "MaxPool2d: stands behind a neuron that sends 0 or 1, since its maximum "
                    "is a sum above 0; take AvgPool2d, or from_torch, whose maximum is of any values"
                )
            named.extend((None, one) for one in item)
            continue
        named.append(item if isinstance(item, tuple) else (None, item))
    for _, layer in named:
        if not isinstance(layer, (Layer, Recurrent)):
            raise DendrolithError(
                f"from_layers: found a {type(layer).__name__}, expected a layer as "
                "dendrolith.Linear(weight, bias), or (name, layer); of a torch module "
                "take module.weight and module.bias"
            )
    return named


def from_layers(
    layers: Sequence[Item],
    input_shape: Optional[Sequence[int]] = None,
    dt: Optional[float] = None,
    name: str = "network",
    **conventions: Any,
) -> Network:
    """Make a network of layers one behind the other.

    `layers` are those of `dendrolith.layers` and of the training tools
    (`dendrolith.snntorch`, ...), each alone or as (name, layer); without names they
    are fc1, lif1, fc2, ... `input_shape` is that of a step, (n,) or (channels,
    rows, columns); it follows from a Linear in front. `dt` is the length of a
    step in seconds, which neurons of the training tools bring. `conventions` are
    those of `load`, for neurons in NIR's own terms: reset="subtract".
    """
    name = clean(str(name), "name")
    if "/" in name:
        raise DendrolithError(f"name: '{name}' is a path, expected a name without '/'")
    if dt is not None and not (isinstance(dt, (int, float, np.number)) and 0 < dt < np.inf):
        raise DendrolithError(f"dt: expected a positive number of seconds, found {dt!r}")
    named = _named(layers, conventions)
    shape = _shape_in_front([layer for _, layer in named], input_shape)
    graph, counts = _Graph(), {"": 0}
    graph.nodes["input"] = ("Input", {"shape": np.array(shape, dtype=np.int64)})
    last = "input"

    def fresh(kind: str) -> str:
        word = _NAMES.get(kind, kind.lower())
        counts[word] = counts.get(word, 0) + 1
        return f"{word}{counts[word]}"

    faults: List[DendrolithError] = []
    for i, (given_name, layer) in enumerate(named):
        node = layer.neuron if isinstance(layer, Recurrent) else layer
        if node is not layer and node.looped:
            node = replace(node, conventions={**node.conventions, **node.looped})
        own = given_name or fresh(node.kind)
        behind: Optional[Shape] = None
        try:
            behind = node.out_shape(shape)
            graph.add(own, node, shape)
            if isinstance(layer, Recurrent):
                back = recurrence(layer, behind)
                graph.add(f"{own}_back", back, behind)
                graph.edges += [(own, f"{own}_back"), (f"{own}_back", own)]
        except DendrolithError as error:
            faults.append(_of_layer(own, error))
            if behind is None:
                behind = _claimed(node, [one for _, one in named[i + 1 :]])
            if behind is None:
                break
        graph.edges.append((last, own))
        last, shape = own, behind
    if faults:
        raise _together(faults) from faults[0]
    graph.nodes["output"] = ("Output", {"shape": np.array(shape, dtype=np.int64)})
    graph.edges.append((last, "output"))
    # None is no convention: the neurons' own stay.
    said = {key: one for key, one in conventions.items() if one is not None}
    told = {**graph.conventions, **said}
    step = dt if dt is not None else told.pop("dt", None)
    if step is not None and told.get("dt", step) != step:
        raise DendrolithError(
            f"from_layers: dt is {step}, and its neurons were made for a dt of "
            f"{told['dt']}; give both the same"
        )
    told.pop("dt", None)
    content = graph.content(step, told)
    return Network(f"{name}.nir", None, content, None, None, graph.words)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of plain arrays as NIR files, which h5py writes."""

from __future__ import annotations

import io
import re
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from .errors import DendrolithError
from .layers import Layer, Recurrent, Shape, recurrence
from .network import Network

#: A layer, or a name and a layer.
Item = Union[Layer, Recurrent, Tuple[str, Union[Layer, Recurrent]]]

_NAMES = {
    "Linear": "fc",
    "Affine": "fc",
    "Conv2d": "conv",
    "AvgPool2d": "pool",
    "SumPool2d": "pool",
}


class _Graph:
    """Nodes and edges in the order in which they are added."""

    def __init__(self) -> None:
        self.nodes: Dict[str, Tuple[str, Dict[str, Any]]] = {}
        self.edges: List[Tuple[str, str]] = []
        self.conventions: Dict[str, Any] = {}
        self.words: Dict[str, str] = {}
        self._said_by: Dict[str, str] = {}

    def add(self, name: str, layer: Layer, given: Shape) -> None:
        if name in self.nodes:
            raise DendrolithError(f"two layers are named '{name}'", node=name)
        if not name or not re.fullmatch(r"[^/.]+", name):
            raise DendrolithError(
                f"a layer cannot be named '{name}': NIR has no '/' or '.' in names",
                node=name,
            )
        self.nodes[name] = (layer.kind, layer.datasets(given))
        self.words.update(layer.words)
        for key, value in layer.conventions.items():
            before = self.conventions.setdefault(key, value)
            by = self._said_by.setdefault(key, name)
            if before != value:
                raise DendrolithError(
                    f"layer '{name}' needs {key}={value}, layer '{by}' {key}={before}, "
                    "and a network has one for all of its layers; take both neurons "
                    "from one tool and give them the same reset",
                    node=name,
                )

    def content(self, dt: Optional[float]) -> bytes:
        try:
            import h5py  # type: ignore[import]
        except ImportError as error:
            raise DendrolithError(
                "h5py is not installed, which writes NIR files; install it "
                "(pip install h5py; Debian: python3-h5py), or write the file with the package nir",
                hint="install h5py",
            ) from error
        buffer = io.BytesIO()
        text = h5py.string_dtype("utf-8")
        with h5py.File(buffer, "w") as file:
            file.create_dataset("version", data="1.0", dtype=text)
            root = file.create_group("node")
            root.create_dataset("type", data="NIRGraph", dtype=text)
            root.create_dataset("edges", data=np.array(self.edges, dtype=object), dtype=text)
            if dt is not None:
                root.create_group("metadata").create_dataset("dt", data=dt)
            nodes = root.create_group("nodes")
            for name, (kind, datasets) in self.nodes.items():
                node = nodes.create_group(name)
                node.create_dataset("type", data=kind, dtype=text)
                for key, value in datasets.items():
                    if isinstance(value, str):
                        node.create_dataset(key, data=value, dtype=text)
                    else:
                        node.create_dataset(key, data=value)
        return buffer.getvalue()


def _shape_in_front(layers: Sequence[Any], given: Optional[Sequence[int]]) -> Shape:
    if given is not None:
        return tuple(int(extent) for extent in given)
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
    named: List[Tuple[Optional[str], Any]] = []
    for item in layers:
        named.append(item if isinstance(item, tuple) else (None, item))
    for _, layer in named:
        if not isinstance(layer, (Layer, Recurrent)):
            raise DendrolithError(
                f"from_layers: found a {type(layer).__name__}, expected a layer as "
                "dendrolith.Linear(weight, bias), or (name, layer); of a torch module "
                "take module.weight and module.bias"
            )
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
    told = {**graph.conventions, **conventions}
    step = dt if dt is not None else told.pop("dt", None)
    if step is not None and told.get("dt", step) != step:
        raise DendrolithError(
            f"from_layers: dt is {step}, and its neurons were made for a dt of "
            f"{told['dt']}; give both the same"
        )
    told.pop("dt", None)
    return Network(f"{name}.nir", None, graph.content(step), None, told, graph.words)

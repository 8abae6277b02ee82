# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers of plain arrays, which `from_layers` makes a network of.

Neurons are those of NIR, in continuous time: tau dv/dt = (v_leak - v) + r x. Who
has decay factors takes a neuron of `dendrolith.snntorch`, `norse`, `spikingjelly` or
`sinabs`, which computes tau, r and w_in of them. A parameter of a neuron is one
number or an array with the shape of the layer, and so is `v_init`, where it starts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from .arrays import ArrayLike, as_array, to_numpy
from .errors import DendrolithError, Unsupported

Shape = Tuple[int, ...]
Pair = Union[int, Sequence[int]]


def _held(value: ArrayLike, what: str) -> np.ndarray:
    """Return a copy of real numbers. A layer's may be infinite: the command names the
    neuron whose parameter must not be."""
    array = as_array(value, what)
    return np.array(array if array.dtype.kind in "biuf" else to_numpy(array, what))


@dataclass
class Layer:
    """A node of NIR: its type, its arrays, and what it needs the importer to do
    (`conventions`, as `load` takes them). `words` say how its tool calls what a
    message about a convention asks for: "reset=value" is 'v_reset=0.0'. `looped` are
    the conventions that are others where its spikes come back to it."""

    kind: str
    arrays: Dict[str, Any]
    conventions: Dict[str, Any] = field(default_factory=dict)
    words: Dict[str, str] = field(default_factory=dict)
    looped: Dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # Copies: who fills one buffer layer after layer would have the last of them.
        self.arrays = {
            key: value
            if key == "padding" and isinstance(value, str)
            else _held(value, f"{self.kind}: {key}")
            for key, value in self.arrays.items()
        }

    def out_shape(self, given: Shape) -> Shape:
        """Return the shape of a step behind the layer."""
        return given

    def in_shape(self) -> Optional[Shape]:
        """Return the shape that it takes, where its arrays say."""
        return None

    def datasets(self, given: Shape) -> Dict[str, Any]:
        """Return what the file holds of it."""
        return self.arrays


class _Weights(Layer):
    def in_shape(self) -> Optional[Shape]:
        return (int(self.arrays["weight"].shape[1]),)

    def out_shape(self, given: Shape) -> Shape:
        if given != self.in_shape():
            raise DendrolithError(
                f"{self.kind}: takes {self.in_shape()} and gets {given}"
                + ("; put a Flatten() in front" if len(given) > 1 else "")
            )
        return (int(self.arrays["weight"].shape[0]),)


class _Convolution(Layer):
    def out_shape(self, given: Shape) -> Shape:
        weight = self.arrays["weight"]
        _axes(self.kind, given, weight.ndim - 1)
        inner = weight.shape[1] * int(self.arrays["groups"])
        if given[0] != inner:
            raise DendrolithError(
                f"{self.kind}: takes {inner} channels and gets {given[0]} of {given}"
            )
        if isinstance(self.arrays["padding"], str):
            if self.arrays["padding"] == "same":
                return (int(weight.shape[0]),) + given[1:]
            padding: Any = np.zeros(weight.ndim - 2, dtype=np.int64)
        else:
            padding = self.arrays["padding"]
        sizes = _windows(
            self.kind,
            given,
            weight.shape[2:],
            self.arrays["stride"],
            padding,
            self.arrays["dilation"],
        )
        return (int(weight.shape[0]),) + sizes

    def datasets(self, given: Shape) -> Dict[str, Any]:
        extent = np.array(given[1:], dtype=np.int64)
        return {**self.arrays, "input_shape": extent if len(given) > 2 else extent[0]}


class _Pooling(Layer):
    def out_shape(self, given: Shape) -> Shape:
        _axes(self.kind, given, 3)
        at = self.arrays
        one = np.ones(2, dtype=np.int64)
        return (given[0],) + _windows(
            self.kind, given, at["kernel_size"], at["stride"], at["padding"], one
        )


class _Flatten(Layer):
    def out_shape(self, given: Shape) -> Shape:
        return (int(np.prod(given)),)

    def datasets(self, given: Shape) -> Dict[str, Any]:
        return {
            "start_dim": np.int64(0),
            "end_dim": np.int64(-1),
            "input_type": np.array(given, dtype=np.int64),
        }


class _Neuron(Layer):
    def datasets(self, given: Shape) -> Dict[str, Any]:
        whole = {}
        for key, value in self.arrays.items():
            array = np.asarray(value, dtype=np.float64)
            # One number for each channel is as common as one for each neuron.
            if array.ndim == 1 and len(given) > 1 and array.shape[0] == given[0]:
                array = array.reshape((-1,) + (1,) * (len(given) - 1))
            try:
                whole[key] = np.broadcast_to(array, given).copy()
            except ValueError as error:
                raise DendrolithError(
                    f"{self.kind}: {key.split('/')[-1]} has shape {array.shape}, "
                    f"expected one number or {given}"
                ) from error
        return whole


def _starting(kind: str, arrays: Dict[str, Any], v_init: ArrayLike) -> Layer:
    """Make a neuron whose potential is `v_init` before the first step. NIR has no
    word for it, so it is in the metadata of the node."""
    if np.any(to_numpy(v_init, f"{kind}: v_init")):
        arrays["metadata/v_init"] = v_init
    return _Neuron(kind, arrays)


@dataclass
class Recurrent:
    """A neuron whose spikes come back through weights (n, n) one step later, with
    a bias (n,) or none; the bias acts from the first step on."""

    neuron: Layer
    weight: ArrayLike
    bias: Optional[ArrayLike] = None

    def __post_init__(self) -> None:
        self.weight = _held(self.weight, "Recurrent: weight")
        if self.bias is not None:
            self.bias = _held(self.bias, "Recurrent: bias")


def _axes(kind: str, given: Shape, count: int) -> None:
    if len(given) != count:
        raise DendrolithError(
            f"{kind}: takes (channels, {'length' if count == 2 else 'rows, columns'}) "
            f"and gets {given}; give from_layers the input_shape"
        )


def _windows(
    kind: str, given: Shape, kernel: Any, stride: Any, padding: Any, dilation: Any
) -> Shape:
    sizes = []
    for axis in range(len(kernel)):
        reach = int(dilation[axis]) * (int(kernel[axis]) - 1) + 1
        room = given[1 + axis] + 2 * int(padding[axis]) - reach
        if room < 0:
            raise DendrolithError(f"{kind}: its window is larger than {given}")
        sizes.append(room // int(stride[axis]) + 1)
    return tuple(sizes)


def whole(value: Any, what: str, least: int = 1) -> np.ndarray:
    """Return whole numbers that are no less."""
    array = as_array(value, what)
    if array.dtype.kind not in "iu" or (array.size and int(array.min()) < least):
        raise DendrolithError(
            f"{what}: expected whole numbers of {least} or more, found {value}"
        )
    return array.astype(np.int64)


def _pair(value: Pair, what: str, least: int = 1, axes: int = 2) -> np.ndarray:
    array = whole(value, what, least)
    if array.shape not in ((), (1,), (axes,)):
        number = "one number" if axes == 1 else "one number or two"
        raise DendrolithError(f"{what}: expected {number}, found {value}")
    return np.broadcast_to(array, (axes,))


def Linear(weight: ArrayLike, bias: Optional[ArrayLike] = None) -> Layer:
    """Dense weights (out, in), as torch.nn.Linear has them, and a bias (out,)
    that is added at every step."""
    w = to_numpy(weight, "Linear: weight")
    if w.ndim != 2:
        raise DendrolithError(f"Linear: weight has shape {w.shape}, expected (out, in)")
    if bias is None:
        return _Weights("Linear", {"weight": w})
    b = to_numpy(bias, "Linear: bias")
    if b.shape != w.shape[:1]:
        raise DendrolithError(
            f"Linear: bias has shape {b.shape}, expected {w.shape[:1]}"
        )
    return _Weights("Affine", {"weight": w, "bias": b})


def Conv2d(
    weight: ArrayLike,
    bias: Optional[ArrayLike] = None,
    stride: Pair = 1,
    padding: Union[Pair, str] = 0,
    dilation: Pair = 1,
    groups: int = 1,
) -> Layer:
    """A convolution with weights (out, in / groups, rows, columns), as
    torch.nn.Conv2d has them; padding is a number, a pair, "same" or "valid"."""
    return _convolution("Conv2d", weight, bias, stride, padding, dilation, groups)


def Conv1d(
    weight: ArrayLike,
    bias: Optional[ArrayLike] = None,
    stride: int = 1,
    padding: Union[int, str] = 0,
    dilation: int = 1,
    groups: int = 1,
) -> Layer:
    """A convolution over (channels, length) with weights (out, in / groups, width),
    as torch.nn.Conv1d has them; padding is a number, "same" or "valid"."""
    return _convolution("Conv1d", weight, bias, stride, padding, dilation, groups)


def _convolution(
    kind: str,
    weight: ArrayLike,
    bias: Optional[ArrayLike],
    stride: Pair,
    padding: Union[Pair, str],
    dilation: Pair,
    groups: int,
) -> Layer:
    axes = 1 if kind == "Conv1d" else 2
    w = to_numpy(weight, f"{kind}: weight")
    if w.ndim != 2 + axes:
        raise DendrolithError(
            f"{kind}: weight has shape {w.shape}, expected (out, in / groups, "
            + ("width)" if axes == 1 else "rows, columns)")
        )

    def extents(value: Pair, key: str, least: int = 1) -> np.ndarray:
        return _pair(value, f"{kind}: {key}", least, axes)

    given = padding if isinstance(padding, str) else extents(padding, "padding", 0)
    return _Convolution(
        kind,
        {
            "weight": w,
            "bias": np.zeros(w.shape[0]) if bias is None else to_numpy(bias, f"{kind}: bias"),
            "stride": extents(stride, "stride"),
            "padding": given,
            "dilation": extents(dilation, "dilation"),
            "groups": extents(groups, "groups")[0],
        },
    )


def BatchNorm(
    layer: Layer,
    mean: ArrayLike,
    var: ArrayLike,
    weight: ArrayLike = 1.0,
    bias: ArrayLike = 0.0,
    eps: float = 1e-5,
) -> Layer:
    """A Linear or a convolution with the batch norm behind it, one number a channel
    as torch.nn.BatchNorm1d and 2d have them: running_mean, running_var, weight and
    bias. They go into the layer's weights and bias, as evaluation does."""
    if not isinstance(layer, (_Weights, _Convolution)):
        raise DendrolithError(
            f"BatchNorm: expected a Linear, Conv1d or Conv2d in front, found "
            f"{getattr(layer, 'kind', type(layer).__name__)}"
        )
    w = layer.arrays["weight"]
    told = {"mean": mean, "var": var, "weight": weight, "bias": bias}
    for key, value in told.items():
        array = to_numpy(value, f"BatchNorm: {key}")
        if array.shape not in ((), w.shape[:1]):
            raise DendrolithError(
                f"BatchNorm: {key} has shape {array.shape}, expected one number or "
                f"{w.shape[:1]}, one for each channel of the {layer.kind}"
            )
        told[key] = array
    if not np.all(told["var"] + eps > 0):
        raise DendrolithError("BatchNorm: expected var + eps above 0")
    factor = np.broadcast_to(told["weight"] / np.sqrt(told["var"] + eps), w.shape[:1])
    arrays = dict(layer.arrays)
    arrays["weight"] = w * factor.reshape((-1,) + (1,) * (w.ndim - 1))
    arrays["bias"] = (arrays.get("bias", 0.0) - told["mean"]) * factor + told["bias"]
    return type(layer)("Affine" if layer.kind == "Linear" else layer.kind, arrays)


def _pool(kind: str, size: Pair, stride: Optional[Pair], padding: Pair) -> Layer:
    return _Pooling(
        kind,
        {
            "kernel_size": _pair(size, kind),
            "stride": _pair(size if stride is None else stride, kind),
            "padding": _pair(padding, kind, 0),
        },
    )


def AvgPool2d(size: Pair, stride: Optional[Pair] = None, padding: Pair = 0) -> Layer:
    """The mean over windows, padding counted."""
    return _pool("AvgPool2d", size, stride, padding)


def SumPool2d(size: Pair, stride: Optional[Pair] = None, padding: Pair = 0) -> Layer:
    """The sum over windows."""
    return _pool("SumPool2d", size, stride, padding)


def MaxPool2d(size: Pair, stride: Optional[Pair] = None, padding: Pair = 0) -> List[Layer]:
    """1 where a window has a spike: the maximum of what is 0 or 1, so only behind a
    neuron of one spike a step. It is a sum and a threshold, a population of its own."""
    return [_pool("SumPool2d", size, stride, padding), Threshold(0.5)]


def Flatten() -> Layer:
    """All axes of a step as one."""
    return _Flatten("Flatten", {})


def Scale(scale: ArrayLike) -> Layer:
    """Each element times a number."""
    return _Neuron("Scale", {"scale": scale})


def Delay(delay: ArrayLike) -> Layer:
    """Each element so many seconds later."""
    return _Neuron("Delay", {"delay": delay})


def Threshold(threshold: ArrayLike) -> Layer:
    """1 where the input is above the threshold, else 0."""
    return _Neuron("Threshold", {"threshold": threshold})


def IF(
    v_threshold: ArrayLike = 1.0,
    r: ArrayLike = 1.0,
    v_reset: ArrayLike = 0.0,
    v_init: ArrayLike = 0.0,
) -> Layer:
    """v += r x; fires above v_threshold and goes to v_reset."""
    return _starting(
        "IF", {"r": r, "v_threshold": v_threshold, "v_reset": v_reset}, v_init
    )


def LIF(
    tau: ArrayLike,
    r: ArrayLike = 1.0,
    v_leak: ArrayLike = 0.0,
    v_threshold: ArrayLike = 1.0,
    v_reset: ArrayLike = 0.0,
    v_init: ArrayLike = 0.0,
) -> Layer:
    """tau dv/dt = (v_leak - v) + r x, tau in seconds."""
    return _starting(
        "LIF",
        {
            "tau": tau,
            "r": r,
            "v_leak": v_leak,
            "v_threshold": v_threshold,
            "v_reset": v_reset,
        },
        v_init,
    )


def CubaLIF(
    tau_mem: ArrayLike,
    tau_syn: ArrayLike,
    r: ArrayLike = 1.0,
    w_in: ArrayLike = 1.0,
    v_leak: ArrayLike = 0.0,
    v_threshold: ArrayLike = 1.0,
    v_reset: ArrayLike = 0.0,
    v_init: ArrayLike = 0.0,
) -> Layer:
    """LIF behind a synaptic current: tau_syn di/dt = -i + w_in x."""
    return _starting(
        "CubaLIF",
        {
            "tau_syn": tau_syn,
            "tau_mem": tau_mem,
            "r": r,
            "w_in": w_in,
            "v_leak": v_leak,
            "v_threshold": v_threshold,
            "v_reset": v_reset,
        },
        v_init,
    )


def LI(
    tau: ArrayLike,
    r: ArrayLike = 1.0,
    v_leak: ArrayLike = 0.0,
    v_init: ArrayLike = 0.0,
) -> Layer:
    """A read-out: tau dv/dt = (v_leak - v) + r x, and v goes out."""
    return _starting("LI", {"tau": tau, "r": r, "v_leak": v_leak}, v_init)


def CubaLI(
    tau_mem: ArrayLike,
    tau_syn: ArrayLike,
    r: ArrayLike = 1.0,
    w_in: ArrayLike = 1.0,
    v_leak: ArrayLike = 0.0,
    v_init: ArrayLike = 0.0,
) -> Layer:
    """LI behind a synaptic current."""
    return _starting(
        "CubaLI",
        {"tau_syn": tau_syn, "tau_mem": tau_mem, "r": r, "w_in": w_in, "v_leak": v_leak},
        v_init,
    )


def I(r: ArrayLike = 1.0, v_init: ArrayLike = 0.0) -> Layer:  # noqa: E743
    """A read-out without a leak: v += r x, and v goes out."""
    return _starting("I", {"r": r}, v_init)


def recurrence(layer: Recurrent, given: Shape) -> Layer:
    """Return the weights that lead the spikes of a layer back to it."""
    if len(given) != 1:
        raise Unsupported(
            f"Recurrent: the layer has the shape {given}, expected (n,); put a "
            "Flatten() in front"
        )
    back = Linear(layer.weight, layer.bias)
    if back.in_shape() != given or back.out_shape(given) != given:
        raise DendrolithError(
            f"Recurrent: weight has shape {back.arrays['weight'].shape}, expected "
            f"({given[0]}, {given[0]})"
        )
    return back

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers of plain arrays, which `from_layers` makes a network of.

Neurons are those of NIR, in continuous time: tau dv/dt = (v_leak - v) + r x. Who
has decay factors takes a neuron of `dendrolith.snntorch`, `norse`, `spikingjelly` or
`sinabs`, which computes tau, r and w_in of them. A parameter of a neuron is one
number or an array with the shape of the layer, and so is `v_init`, where it starts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Optional, Sequence, Tuple, Union

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
            key: value if isinstance(value, str) else _held(value, f"{self.kind}: {key}")
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
        _three(self.kind, given)
        inner = weight.shape[1] * int(self.arrays["groups"])
        if given[0] != inner:
            raise DendrolithError(
                f"Conv2d: takes {inner} channels and gets {given[0]} of {given}"
            )
        if isinstance(self.arrays["padding"], str):
            if self.arrays["padding"] == "same":
                return (int(weight.shape[0]), given[1], given[2])
            padding: Any = (0, 0)
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
        return {**self.arrays, "input_shape": np.array(given[1:], dtype=np.int64)}


class _Pooling(Layer):
    def out_shape(self, given: Shape) -> Shape:
        _three(self.kind, given)
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
            if array.ndim == 1 and len(given) == 3 and array.shape[0] == given[0]:
                array = array[:, None, None]
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


def _three(kind: str, given: Shape) -> None:
    if len(given) != 3:
        raise DendrolithError(
            f"{kind}: takes (channels, rows, columns) and gets {given}; give "
            "from_layers the input_shape"
        )


def _windows(
    kind: str, given: Shape, kernel: Any, stride: Any, padding: Any, dilation: Any
) -> Shape:
    sizes = []
    for axis in range(2):
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


def _pair(value: Pair, what: str, least: int = 1) -> np.ndarray:
    array = whole(value, what, least)
    if array.shape not in ((), (1,), (2,)):
        raise DendrolithError(f"{what}: expected one number or two, found {value}")
    return np.broadcast_to(array, (2,))


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
    w = to_numpy(weight, "Conv2d: weight")
    if w.ndim != 4:
        raise DendrolithError(
            f"Conv2d: weight has shape {w.shape}, expected (out, in / groups, rows, "
            "columns)"
        )
    b = np.zeros(w.shape[0]) if bias is None else to_numpy(bias, "Conv2d: bias")
    return _Convolution(
        "Conv2d",
        {
            "weight": w,
            "bias": b,
            "stride": _pair(stride, "Conv2d: stride"),
            "padding": (
                padding
                if isinstance(padding, str)
                else _pair(padding, "Conv2d: padding", 0)
            ),
            "dilation": _pair(dilation, "Conv2d: dilation"),
            "groups": _pair(groups, "Conv2d: groups")[0],
        },
    )


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

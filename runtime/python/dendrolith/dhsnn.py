# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The step of DH-SNN, networks with dendritic heterogeneity (Zheng and others, Nature
Communications 2024), with the weights of a file that its scripts saved.

A branch is d' = s(tn) d + (1 - s(tn)) (W x + b), a soma v' = s(tm) v + (1 - s(tm))
sum(d') - theta z and z' = v' > theta, s the logistic function; a point neuron has no
branches, a read-out no spike. States begin at zero.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any, Dict, List, Tuple

import numpy as np

from .errors import DendrolithError
from .stored import Stored

# Classes of its layers: whether it has branches, sends spikes, and takes theta off.
_KINDS = {
    "spike_rnn_test_denri_wotanh_R": (True, True, True),
    "spike_dense_test_denri_wotanh_R": (True, True, True),
    "spike_rnn_test_origin": (False, True, True),
    "spike_dense_test_origin": (False, True, True),
    "spike_rnn_test_origin_noreset": (False, True, False),
    "spike_dense_test_origin_noreset": (False, True, False),
    "readout_integrator_test": (False, False, False),
}


def _array(layer: Stored, name: str, key: str) -> np.ndarray:
    found = layer.tensors().get(key, layer.__dict__.get(key))
    if not isinstance(found, np.ndarray):
        raise DendrolithError(f"the layer '{name}' has no array '{key}'")
    return found.astype(float)


def _layer(torch: Any, layer: Stored, name: str) -> Any:
    branches, spikes, resets = _KINDS[layer.class_name]
    weight = _array(layer, name, "dense.weight")
    if branches:
        weight = weight * _array(layer, name, "mask")
    time = _array(layer, name, "tau_m")
    theta = float(layer.__dict__.get("vth", 0))

    def parameter(value: np.ndarray) -> Any:
        return torch.nn.Parameter(torch.tensor(value))

    class Layer(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = parameter(weight)
            self.bias = parameter(_array(layer, name, "dense.bias"))
            self.tau_m = parameter(time)
            self.neurons = len(time)
            self.recurrent = "_rnn_" in layer.class_name
            if branches:
                self.tau_n = parameter(_array(layer, name, "tau_n"))
            inputs = weight.shape[1] - (self.neurons if self.recurrent else 0)
            self.inputs = int(layer.__dict__.get("input_dim", inputs))

        def shapes(self) -> Dict[str, Tuple[int, ...]]:
            whole: Dict[str, Tuple[int, ...]] = {}
            if branches:
                whole["d"] = tuple(self.tau_n.shape)
            whole["v"] = (self.neurons,)
            if spikes:
                whole["z"] = (self.neurons,)
            return whole

        def forward(self, x: Any, *states: Any) -> Tuple[Any, ...]:
            held = dict(zip(self.shapes(), states))
            if self.recurrent:
                x = torch.cat([x, held["z"]], 1)
            used = self.weight[:, : x.shape[1]]  # behind it there is padding
            drive = torch.nn.functional.linear(x, used, self.bias)
            if branches:
                keep = torch.sigmoid(self.tau_n)
                drive = drive.reshape(held["d"].shape)
                held["d"] = keep * held["d"] + (1 - keep) * drive
                drive = held["d"].sum(2)
            keep = torch.sigmoid(self.tau_m)
            held["v"] = keep * held["v"] + (1 - keep) * drive
            if resets:
                held["v"] = held["v"] - theta * held["z"]
            if spikes:
                held["z"] = (held["v"] > theta).to(x.dtype)
            return (held["z" if spikes else "v"], *held.values())

    return Layer()


def dhsnn(torch: Any, found: Stored) -> Tuple[Any, Tuple[Any, Any]]:
    """Return the module of a stored network and an example of its input and states."""
    stored = {
        name: one
        for name, one in found.modules.items()
        if isinstance(one, Stored) and not one.class_name.endswith("Loss")
    }
    strange = [one.class_name for one in stored.values() if one.class_name not in _KINDS]
    if strange or not stored:
        raise DendrolithError(
            f"has modules of {', '.join(strange) or 'no class'}, whose step is not in "
            "the file; write it as a module, give it the weights of "
            "dl.torch.stored(path).tensors() and hand that to from_torch (steps that are "
            f"known: DH-SNN's {', '.join(_KINDS)})"
        )

    class Stack(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            for name, layer in stored.items():
                self.add_module(name, _layer(torch, layer, name))

        def forward(self, x: Any, states: Any) -> Tuple[Any, ...]:
            left: List[Any] = list(states)
            after: List[Any] = []
            for layer in self.children():
                count = len(layer.shapes())
                x, *new = layer(x, *left[:count])
                left, after = left[count:], after + new
            return (x, *after)

    stack = Stack()
    shapes = {
        f"{name}_{key}": shape
        for name, layer in stack.named_children()
        for key, shape in layer.shapes().items()
    }
    states = namedtuple("states", shapes)(*(torch.zeros(1, *s) for s in shapes.values()))
    inputs = next(stack.children()).inputs
    return stack, (torch.zeros(1, inputs), states)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DendriCL with one clock: the four micro steps of a token stand in the bodies of soma and
block, each with an output and a port of its own. Lava's processes tick together, so this is
the form that it can hold; the network is the same."""
import json
import re
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "runtime" / "python"))
import dendrolith as dl  # noqa: E402
from dendrolith.equations import dot, fire, leak  # noqa: E402


def network(path):
    """The circuit of a DendriCL checkpoint with virtual somas."""
    p = {key: value if key == "meta" else value.astype(float) for key, value in np.load(path).items()}
    meta = json.loads(str(p["meta"]))
    assert meta["soma"] == "virtual" and meta["n_micro"] == 4
    keep, width, d = float(meta["decay"]), len(p["WA"]), p["WA"].shape[1]
    number = lambda name: float(p[name])

    @dl.neuron
    def apical(a: dl.Port[width], y: dl.Port, flag: dl.Port, u: dl.State[width]):
        error = (1 - flag) * (y - dot(u, a))
        return dict(u=number("alpha") * u + number("gamma") * error * a, sent=u * 1.0)

    @dl.neuron
    def soma(i: dl.Port):
        v, found = 0.0 * i, {}
        for k in range(4):
            found[f"s{k}"], v = fire(leak(v, i, keep), number("th1"), "subtract")
        return found

    @dl.neuron
    def block(i0: dl.Port, i1: dl.Port, i2: dl.Port, i3: dl.Port):
        v, found = 0.0 * i0, {}
        for k, i in enumerate((i0, i1, i2, i3)):
            found[f"s{k}"], v = fire(leak(v, i, keep), number("th2"), "subtract")
        return found

    @dl.neuron
    def linear(i: dl.Port):
        return dict(y=i * 1.0)

    net = dl.Circuit("one_clock")
    tokens = net.input("tok", d + 2)
    A = net.population("A", apical, 1)
    S = net.population("S", soma, len(p["WB"]))
    B = net.population("B", block, len(p["F1.weight"]))
    out = net.population("out", linear, 1)
    see = np.eye(d + 2)
    net.connect(tokens, A["a"], np.hstack([p["WA"], np.zeros((width, 2))]))
    net.connect(tokens, A["y"], see[d:d + 1])
    net.connect(tokens, A["flag"], see[d + 1:])
    net.connect(tokens, S["i"], number("gB") * p["WB"], bias=number("gB") * p["bB"])
    net.connect(A["sent"], S["i"], number("gA") * p["WO"])
    read = p["R.weight"] @ p["F2.weight"] / 4
    for k in range(4):
        net.connect(S[f"s{k}"], B[f"i{k}"], p["F1.weight"], bias=p["F1.bias"])
        bias = dict(bias=p["R.weight"] @ p["F2.bias"] + p["R.bias"]) if k == 0 else {}
        net.connect(B[f"s{k}"], out["i"], read, **bias)
    net.output(out["y"], decode="last=1")
    return net


def write(path, checkpoint):
    """The network as one file, its arrays in it."""
    made = network(checkpoint)
    text = made.text()
    for name, array in made.network()._weights.items():
        text = re.sub(rf'@{name} : tensor<[\dx]*f64> extern "{name}"',
                      lambda _: f"@{name} = {array.tolist()}", text)
    path.write_text(text)

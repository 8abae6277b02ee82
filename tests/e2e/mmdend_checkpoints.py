# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random MMDEND checkpoints of any shape, as models/mmdend/README.md lists keys."""
import json

import numpy as np


def cable(rng, J, K, physical):
    """Time constants of eq. 7. A physical cable leaks more than it couples and
    couples with positive rates; the other's currents run around, so its modes
    are complex pairs."""
    tau_f = rng.uniform(2.0, 6.0, (J, K - 1))
    tau_p = rng.uniform(2.0, 6.0, (J, K - 1))
    return {
        "tau": rng.uniform(0.6, 0.9, (J, K)),
        "tau_f": tau_f,
        "tau_p": tau_p if physical else -tau_p / 3,
        "gamma": rng.normal(0, 1.0, (J, K)),
    }


def modes(rng, J, K, turning):
    return {
        "lam_re": -rng.uniform(0.2, 1.0, (J, K)),
        "lam_im": np.pi * turning * np.arange(K) * np.ones((J, 1)),
        "B": rng.normal(0, 0.7, (J, K, 2)),
        "C": rng.normal(0, 0.7, (J, K, 2)),
    }


def layer(rng, fan_in, kind, J, K, window, stride):
    """kind: modes or cable, which have a complex spectrum if they are turning."""
    D = (J - 1) * stride + window
    turning = kind.startswith("turning ")
    dendrite = (modes(rng, J, K, turning) if kind.endswith("modes")
                else cable(rng, J, K, not turning))
    return {
        "W": rng.normal(0, 1.2 / np.sqrt(fan_in), (D, fan_in)),
        "b": rng.normal(0, 0.1, D),
        **dendrite,
        "dt": np.geomspace(0.1, 0.8, J),
        "go": rng.normal(0, 0.3, J),
        "tauj": rng.uniform(0.8, 1.5, J),
        "taus": np.array(rng.uniform(1.5, 2.5)),
        "gs": np.array(rng.normal(0.4, 0.2)),
        "phi_p": np.array(rng.normal(0.1, 0.1)),
        "phi_s": np.array(rng.uniform(0.5, 0.9)),
        "Dp": np.array(window),
        "S": np.array(stride),
    }


def checkpoint(seed, inputs, shapes, classes=3, **meta):
    """`shapes`: (kind, J, K, window, stride) per layer."""
    rng = np.random.default_rng(seed)
    params = {}
    fan_in = inputs
    for l, shape in enumerate(shapes):
        one = layer(rng, fan_in, *shape)
        fan_in = len(one["W"])
        params.update({f"{key}{l}": value for key, value in one.items()})
    params["Wout"] = rng.normal(0, 1 / np.sqrt(fan_in), (classes, fan_in))
    params["bout"] = rng.normal(0, 0.1, classes)
    params["meta"] = {"neuron": "mmdend", "U": 4, "f": "relu",
                      "layers": len(shapes), **meta}
    return params


def save(path, params):
    np.savez(path, **{key: json.dumps(value) if isinstance(value, dict) else value
                      for key, value in params.items()})
    return path

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random DendriCL networks and tasks for them."""
from support import FOLDER, np


def random_net(seed, d=4, da=7, dm=10, rows=13, **meta):
    """Sizes that are all different: a transposed use would not import."""
    rng = np.random.default_rng(seed)
    normal = lambda *shape: rng.normal(0, 1, shape)
    return {
        "WA": normal(da, d) / np.sqrt(da), "WB": normal(dm, d + 2) / np.sqrt(d + 2),
        "bB": 0.1 * normal(dm), "WO": normal(dm, da) / np.sqrt(da),
        "gA": np.array(0.9), "gB": np.array(0.8), "alpha": np.array(0.97),
        "gamma": np.array(0.5 / (d + 2)), "th1": np.array(0.8), "th2": np.array(0.4),
        "F1.weight": normal(rows, dm) * np.sqrt(2.0 / dm), "F1.bias": 0.1 * normal(rows),
        "F2.weight": normal(dm, rows) / np.sqrt(dm), "F2.bias": 0.1 * normal(dm),
        "R.weight": normal(1, dm) / np.sqrt(dm), "R.bias": 0.1 * normal(1), "Ry": np.array(0.7), "meta": meta}


def tasks(seed, samples, k, d):
    """k labelled tokens and a query; the label of the query apart."""
    rng = np.random.default_rng(seed)
    x = np.zeros((samples, k + 1, d + 2))
    x[:, :, :d] = rng.normal(0, 1, (samples, k + 1, d))
    y = np.einsum("skd,sd->sk", x[:, :, :d], rng.normal(0, 1, (samples, d)))
    x[:, :-1, d] = y[:, :-1]
    x[:, -1, d + 1] = 1
    return x, y[:, -1]


def save(name, array):
    np.save(FOLDER / name, array)
    return FOLDER / name

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Branches given as cables: eq. 7 to 9 of MMDEND, discretised densely.

A layer in cable form has, for J branches of K compartments, `tau` (J, K), the
couplings `tau_f` and `tau_p` (J, K-1), `gamma` (J, K) and `dt` (J): what the
circuit states, with no eigenvector in sight.  Nothing here diagonalises, so it
checks a compiler that does.
"""

import numpy as np


def matrix(tau, tau_f, tau_p):
    """Eq. 8, one branch: (K, K).  tau_f[k-1] couples compartment k-1 into k,
    tau_p[k] couples k+1 into k; tau (K) is the whole decay of each.  Learned
    couplings may be negative: then the modes are complex."""
    if np.any(tau <= 0) or np.any(tau_f == 0) or np.any(tau_p == 0):
        raise ValueError(
            "cable: expected tau > 0 and couplings other than 0, found one that is not"
        )
    return np.diag(-1.0 / tau) + np.diag(1.0 / tau_f, -1) + np.diag(1.0 / tau_p, 1)


def expm(M):
    """exp(M): halve M until it is small, sum the series, square back."""
    norm = np.linalg.norm(M, np.inf)
    halvings = max(0, int(np.ceil(np.log2(norm))) + 2) if norm > 0 else 0
    small = M / 2.0**halvings  # norm <= 1/4: 16 terms leave less than 1e-23
    term = total = np.eye(len(M))
    for n in range(1, 17):
        term = term @ small / n
        total = total + term
    for _ in range(halvings):
        total = total @ total
    return total


def zero_order_hold(M, gamma, dt):
    """V[t] = A V[t-1] + G I[t] for dV/dt = M V + gamma I with I held for dt.

    exp([[M, gamma], [0, 0]] dt) holds A and G side by side; unlike
    M^-1 (A - 1) gamma it does not need M to be invertible.
    """
    K = len(M)
    block = np.zeros((K + 1, K + 1))
    block[:K, :K], block[:K, K] = M, gamma
    held = expm(block * dt)
    return held[:K, :K], held[:K, K]


def discretise(layer):
    """A (J, K, K) and G (J, K) of a layer {"tau", "tau_f", "tau_p", "gamma",
    "dt"}, one row per branch."""
    J, K = layer["tau"].shape
    for key, shape in dict(
        tau_f=(J, K - 1), tau_p=(J, K - 1), gamma=(J, K), dt=(J,)
    ).items():
        if layer[key].shape != shape:
            raise ValueError(
                f"cable: '{key}' has shape {layer[key].shape}, expected {shape}"
            )
    pairs = [
        zero_order_hold(
            matrix(layer["tau"][j], layer["tau_f"][j], layer["tau_p"][j]),
            layer["gamma"][j],
            layer["dt"][j],
        )
        for j in range(J)
    ]
    return tuple(np.stack(part) for part in zip(*pairs))


def random_branches(rng, J, K):
    """Passive cables: every compartment leaks more than its neighbours bring."""
    into = rng.uniform(0.1, 1.0, (2, J, K - 1))  # 1/tau_f, 1/tau_p
    leak = rng.uniform(0.05, 0.4, (J, K))
    leak[:, 1:] += into[0]
    leak[:, :-1] += into[1]
    return {
        "tau": 1.0 / leak,
        "tau_f": 1.0 / into[0],
        "tau_p": 1.0 / into[1],
        "gamma": rng.uniform(0.05, 0.3, (J, K)),
        "dt": np.geomspace(0.3, 1.5, J),
    }

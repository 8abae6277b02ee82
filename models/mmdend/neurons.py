# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The neurons of a layer, one step at a time: MMDEND's dendrites and soma, and
the LIF they are compared with.  Arrays may have any leading axes (samples)."""

import numpy as np

# The branch nonlinearity of eq. 13, by its name in `meta`.
ACTIVATIONS = {
    "relu": lambda d: np.maximum(d, 0.0),
    "leaky_relu": lambda d: np.where(d > 0, d, 0.01 * d),
    "tanh": np.tanh,
}


def activation(name):
    if name not in ACTIVATIONS:
        raise ValueError(
            f"branch activation '{name}', expected one of {', '.join(ACTIVATIONS)}"
        )
    return ACTIVATIONS[name]


def ssf(Vs, phi_p, phi_s, U, Vth):
    """Eq. 17, scaling-shifting integer firing: integers in [-U/Vth, U/Vth]."""
    if phi_s <= 0 or U % Vth != 0:
        raise ValueError(
            f"SSF needs scale > 0 and Vth dividing U, found scale {phi_s}, "
            f"U {U}, Vth {Vth}"
        )
    return np.floor(np.clip((Vs - phi_p) / phi_s, -U, U) / Vth).astype(np.int64)


class Lif:
    """One LIF layer (eq. 1 to 3): charge, fire, reset to 0; per channel."""

    def __init__(self, eff, l, shape):
        self.eff = eff
        self.v = np.zeros(shape)

    def step(self, I):
        h = self.eff["keep"] * self.v + self.eff["gain"] * I
        s = (h > self.eff["Vth"]).astype(np.int64)
        self.v = h * (1 - s)
        return s, {"v": self.v}


class Dendrites:
    """One MMDEND layer; state per branch and channel (K) and soma, all from 0."""

    def __init__(self, eff, l, shape, f):
        get = lambda name: eff[f"{name}{l}"]
        self.eff, self.get, self.f = eff, get, f
        if f"cable_A{l}" in eff:
            A, self.G = get("cable_A"), get("cable_G")
            J, K = self.G.shape
            self.C = np.tile(np.eye(K)[-1], (J, 1))  # eq. 9: the last one
            self.move = lambda j, V: V @ A[j].T
        else:
            A, self.G, self.C = (
                eff[f"{n}{l}_re"] + 1j * eff[f"{n}{l}_im"] for n in "AGC"
            )
            K = A.shape[1]
            self.move = lambda j, V: A[j] * V
        self.V = [
            np.zeros((*shape[:-1], end - first, K), dtype=self.G.dtype)
            for first, end in get("channels")
        ]
        self.Vs = np.zeros(shape)

    def step(self, I):
        joined = np.zeros_like(I)
        for j, (first, end) in enumerate(self.get("channels")):
            part = I[..., first:end]
            self.V[j] = self.move(j, self.V[j]) + part[..., None] * self.G[j]  # eq. 10
            d = (self.V[j] @ self.C[j]).real + self.get("go")[j] * part  # eq. 11
            joined[..., first:end] += self.f(d) * self.get("join")[j]  # eq. 13
        drive = joined + self.get("gs") * I
        self.Vs = self.get("beta") * self.Vs + self.get("alpha") * drive  # eq. 15
        s = ssf(
            self.Vs, self.get("phi_p"), self.get("phi_s"),
            self.eff["U"], self.eff["Vth"],
        )
        return s, {"Vs": self.Vs}

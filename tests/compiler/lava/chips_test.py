# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/lava/Build.cpp.
"""Lava networks on chips: LIF is loihi1's fixed-function neuron, to the bit in the
cycle engine; what loihi1 lacks is refused by name; loihi2 runs it as a program."""
import subprocess

from lava_net import FOLDER, DENDROLITH, Net, check, np, run, same
import lava_ref

rng = np.random.default_rng(8)
STEPS = 40


def spikes(width, rate):
    return (rng.random((STEPS, width)) < rate).astype(np.int64)


# Two layers, one recurrent, one with delays, MIXED exponents below 0 as NetX has them.
lif = dict(du=409, dv=819, bias_exp=3)
net = Net("lif_network").process("a", "LIF", (40,), vth=90, bias_mant=12, **lif)
net.process("b", "LIF", (20,), vth=160, **lif)
net.process("wa", "Dense", weights=2 * rng.integers(-128, 128, (40, 30)), weight_exp=-1)
net.process("aa", "Sparse", weights=2 * rng.integers(-20, 21, (40, 40)), sign_mode="MIXED")
net.process("wb", "DelayDense", weights=rng.integers(-200, 256, (20, 40)),
            delays=rng.integers(0, 8, (20, 40)), num_weight_bits=6)
net.connect("wa", "a").connect("a", "aa").connect("aa", "a")
net.connect("a", "wb").connect("wb", "b").input("x", "wa", 0, 1)
given = {"x": spikes(30, 0.2)}
outs, states = lava_ref.simulate(net, given, STEPS)
for target in ("loihi1", "loihi2"):
    for engine in ("functional", "cycle"):
        found, traced, result = run(net, given, engine, list(states), "--target", target)
        for name in outs:
            same(f"{name} on {target} in {engine}", found[name], outs[name])
        for key in states:
            same(f"state {key} on {target} in {engine}", traced[key], states[key])
    programs = any(result["counts"]["total"]["microcode"].values())
    check(programs == (target == "loihi2"),
          f"two layers of LIF on {target}, {'as a program' if programs else 'fixed-function'}"
          f": {sum(int(v.sum()) for v in outs.values())} spikes and every u and v")


def refused(net, *words):
    done = subprocess.run([DENDROLITH, "compile", net.save(), "--target", "loihi1", "-o",
                           FOLDER / "no.dlp"], capture_output=True, text=True)
    line = done.stderr.strip().splitlines()
    check(done.returncode == 1 and all(w in done.stderr for w in words)
          and "error" in line[0], f"loihi1 refuses: {line[0] if line else 'nothing'}")


def lone(cls, **kwargs):
    net = Net(cls).process("p", cls, (2,), **kwargs)
    for i, port in enumerate(lava_ref.CLASSES[cls].inputs):
        net.input(f"x{i}", "p", 0, 1, port)
    return net


RESONATOR = dict(period=8.0, alpha=0.05, state_exp=6, decay_bits=12, vth=4)
for process in (lone("RF", **RESONATOR), lone("RF_IZ", **RESONATOR), lone("Delta", vth=3),
                lone("Sigma"), lone("SigmaDelta", vth=3), lone("GradedVec"),
                lone("GradedReluVec"), lone("ProdNeuron"), lone("ATRLIF"),
                lone("TernaryLIF"), lone("LIFReset", reset_interval=4)):
    refused(process, "loihi1", "p")

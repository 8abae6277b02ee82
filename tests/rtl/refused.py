# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Catalyst N1 has no room for is refused, with the neuron or population and the limit.

    refused.py [--dendrolith build/bin/dendrolith]
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

WIDE = "!dend.fx<24, 0>"
ONE_CORE_OF_8 = "catalyst-n1,limits.compartments_per_core=8"


def network(size=4, spike="!dend.spike<int, 0, 255>", delay=1, weights=None, shift="",
            states=("v", ), target="n"):
    """`size` neurons that pass on what they gather, all to all but for `weights`."""
    weights = weights or f"tensor<{size}x{size}xi16> = dense<1> : tensor<{size}x{size}xi16>"
    old = ", ".join(f"%{s} : {WIDE} reset sample" for s in states)
    new = ", ".join(["%I"] * len(states))
    kinds = ", ".join([WIDE] * len(states))
    return f"""dend.network @small {{
  dend.clock @step
  dend.neuron @pass ports(%I : {WIDE}) params() states({old}) outputs(s : {spike}) {{
    dend.yield states({new} : {kinds}) emit(%I : {WIDE})
  }}
  dend.input @x on @step : tensor<{size}xf64> as !dend.spike<int, -32768, 32767>
  dend.population @n : @pass[{size}] on @step
  dend.constant @one : tensor<{size}xi16> = dense<1> : tensor<{size}xi16>
  dend.constant @W : {weights}
  dend.project @x -> @n["I"] #dend.diagonal weight @one delay 0
  dend.project @n["s"] -> @{target}["I"] #dend.dense weight @W delay {delay}{shift}
  dend.output @y = @n["s"]
}}
"""


CASES = {
    "fits": (network(), "catalyst-n1", None),
    "a shift that it has": (network(shift=" product_shift 7"), "catalyst-n1", None),
    "a shift that it has not": (
        network(shift=" product_shift 3"), "catalyst-n1",
        "projection 'n -> n' shifts its products right by 3 bits, which a core of target "
        "'catalyst-n1' cannot (formats.product_shifts: 7)"),
    "a shift on a chip without": (
        network(shift=" product_shift 7"), "loihi2", "(formats.product_shifts: none)"),
    "a shift of what leaves in units": (
        network(spike="!dend.spike<int, -10, 10>", shift=" product_shift 7"), "catalyst-n1",
        "leaves in unit spikes"),
    "the longest delay": (network(delay=64), "catalyst-n1", None),
    "a delay beyond the buckets, kept by relays": (network(delay=65), "catalyst-n1", None),
    "a payload of 256": (network(spike="!dend.spike<int, 0, 256>"), "catalyst-n1",
                         "a payload of target 'catalyst-n1' (8 bits)"),
    "a negative payload": (network(spike="!dend.spike<int, -1, 255>"), "catalyst-n1",
                           "a payload of target 'catalyst-n1' (8 bits)"),
    "12 targets elsewhere": (
        network(size=24), "catalyst-n1,limits.compartments_per_core=12", None),
    "13 targets elsewhere": (
        network(size=26), "catalyst-n1,limits.compartments_per_core=13",
        "population 'n': neuron 0 has 13 synapses on other cores, a neuron of "
        "'catalyst-n1' has entries for 12"),
    "the states of two neurons that join": (
        network(states=("v", "u", "r", "v2", "u2", "r2")), "catalyst-n1", "12"),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--dendrolith", type=pathlib.Path, default="build/bin/dendrolith")
    dendrolith = parser.parse_args().dendrolith.absolute()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (text, target, refusal) in CASES.items():
            path = pathlib.Path(folder, "small.mlir")
            path.write_text(text)
            done = subprocess.run(
                [str(dendrolith), "compile", path.name, "--target", target, "--tuning", "{solver: packed}",
                 "-o", "small.dlp"], cwd=folder, capture_output=True, text=True, timeout=100)
            good = done.returncode == 0 if refusal is None else \
                done.returncode == 1 and refusal in done.stderr
            wrong += not good
            if not good:
                print(f"{name}: expected {refusal or 'a program'}, "
                      f"found {done.returncode}: {done.stderr.strip()}")
    print(f"{len(CASES)} networks, {wrong} not as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

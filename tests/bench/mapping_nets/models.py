# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of the project's own neurons, and files that are there already.

Each function writes PREFIX with its suffix, and PREFIX.npy, which goes in.
"""
import json
import pathlib
import shutil

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
SINABS = ROOT / ".." / "shared" / "data" / "nir" / "cnn_sinabs.nir"


def shapes(prefix):
    """The network of the quickstart, on the first 50 of its images."""
    folder = ROOT / "models" / "lif"
    shutil.copy(folder / "shapes_lif.nir", prefix.with_suffix(".nir"))
    np.save(prefix.with_suffix(".npy"), np.load(folder / "test_x.npy")[:50])


def sinabs(prefix, seed=1):
    """The N-MNIST network of the NIR paper, on random events."""
    shutil.copy(SINABS, prefix.with_suffix(".nir"))
    events = np.random.default_rng(seed).random((2, 8, 2, 34, 34)) < .1
    np.save(prefix.with_suffix(".npy"), events.astype(np.uint8))


def mmdend(prefix):
    folder = ROOT / "models" / "mmdend"
    shutil.copy(folder / "sparse.npz", prefix.with_suffix(".npz"))
    np.save(prefix.with_suffix(".npy"), np.load(folder / "test_x.npy")[:8])


def mmdend_ssc(prefix, inputs=700, classes=35, samples=64, steps=100, seed=1):
    """MMDEND of the size that its paper gives for Spiking Speech Commands: three
    layers of 128 neurons with four branches of eight compartments, and a read-out.
    The neurons are those of models/mmdend/sparse.npz, as they were trained, behind
    random weights; the input is random, a spike at 2 % of channels and steps."""
    rng = np.random.default_rng(seed)
    trained = np.load(ROOT / "models" / "mmdend" / "sparse.npz")
    meta = json.loads(str(trained["meta"]))
    width, layers = meta["H"], 3
    arrays = {"meta": json.dumps({**meta, "name": "ssc", "layers": layers})}
    for layer in range(layers):
        fans = width if layer else inputs
        scale = 2 if layer else 1 / .02
        arrays[f"W{layer}"] = rng.normal(0, (scale / fans) ** .5, (width, fans))
        arrays[f"b{layer}"] = np.zeros(width)
        # Those of the second layer get spikes, as these do.
        arrays |= {f"{key[:-1]}{layer}": trained[key] for key in trained.files
                   if key[-1] == "1" and key[:-1] not in ("W", "b")}
    arrays["Wout"] = rng.normal(0, width ** -.5, (classes, width))
    arrays["bout"] = np.zeros(classes)
    np.savez(prefix.with_suffix(".npz"), **arrays)
    np.save(prefix.with_suffix(".npy"),
            (rng.random((samples, steps, inputs)) < .02).astype(np.uint8))


def dendricl(prefix, d=50, width=384, pairs=20, samples=4, seed=1):
    """DendriCL for regression in `d` dimensions, of the sizes that the smaller
    ones in models/dendricl have, with random weights; each sample is a context
    of labelled pairs and a query."""
    rng = np.random.default_rng(seed)

    def normal(*shape):
        return rng.normal(0, 1, shape)

    meta = dict(neuron="dendricl", soma="virtual", n_micro=4, decay=.75,
                d=d, k=pairs, d_m=width, d_a=width)
    hidden = 2 * width
    np.savez(
        prefix.with_suffix(".npz"), meta=json.dumps(meta),
        WA=normal(width, d) / np.sqrt(width), bB=.1 * normal(width),
        WB=normal(width, d + 2) / np.sqrt(d + 2),
        WO=normal(width, width) / np.sqrt(width), gA=.9, gB=.8, alpha=.99,
        gamma=.5 / (d + 2), th1=.8, th2=.4,
        Ry=.7, **{
            "F1.weight": normal(hidden, width) * np.sqrt(2 / width),
            "F1.bias": .1 * normal(hidden),
            "F2.weight": normal(width, hidden) / np.sqrt(width),
            "F2.bias": .1 * normal(width),
            "R.weight": normal(1, width) / np.sqrt(width),
            "R.bias": .1 * normal(1)})
    tokens = np.zeros((samples, pairs + 1, d + 2))
    tokens[..., :d] = normal(samples, pairs + 1, d)
    label = np.einsum("std,sd->st", tokens[..., :d], normal(samples, d))
    tokens[:, :-1, d] = label[:, :-1]
    tokens[:, -1, d + 1] = 1
    np.save(prefix.with_suffix(".npy"), tokens)


MIXED = """\
dend.network @mixed {{
  dend.clock @step
  dend.input @x on @step : tensor<{inputs}xf64> as !dend.spike<binary>
{neurons}
{constants}
{populations}
{projections}
  dend.output @spikes = @{last}["s"]
}}
"""
# The rules of models/neurons that take binary spikes at one port, with what
# their weights of up to 127 are shifted by and what they are bound to.
RULES = {"lif": ("I", 2, {"keep": 3686, "theta": 3000}),
         "adaptive_lif": ("I", 2, {"keep": 3686, "rho": 3973, "theta": 3000}),
         "two_compartment": ("Id", 2, {"k": [3400, 410, 3800], "theta": 500}),
         "shift_register16": ("I", 0, {
             "h": [127, 90, 64, 45, 32, 23, 16, 11, 8, 6, 4, 3, 2, 1, 1, 1],
             "theta": 51200})}


def rule_of(name):
    """The text of a neuron, and the types of its parameters."""
    text = (ROOT / "models" / "neurons" / f"{name}.mlir").read_text()
    begin = text.index("  dend.neuron ")
    end = text.index("\n  }\n", begin) + len("\n  }\n")
    return text[begin:end].replace(" per_neuron", "")


def mixed(prefix, inputs=64, size=512, samples=4, steps=25, seed=1):
    """A chain of populations, each of another rule, back from the last to the
    first a tick later; a tenth of all synapses there could be."""
    rng = np.random.default_rng(seed)
    neurons, constants, populations, projections = [], [], [], []
    names = list(RULES)

    def project(source, target, columns, delay):
        weight = rng.integers(-30, 98, (size, columns)).astype(np.int8)
        weight *= rng.random(weight.shape) < (.3 if source == "x" else .1)
        port, shift, _ = RULES[target]
        name = f"W_{source}_{target}"
        constants.append(
            f"  dend.constant @{name} : tensor<{size}x{columns}xi8> = "
            f'dense<"0x{weight.tobytes().hex().upper()}"> : '
            f"tensor<{size}x{columns}xi8>")
        source = "@x" if source == "x" else f'@{source}["s"]'
        projections.append(
            f'  dend.project {source} -> @{target}["{port}"] #dend.dense '
            f"weight @{name} delay {delay}" + (f" shift {shift}" if shift else ""))

    for name, before in zip(names, ["x", *names]):
        text = rule_of(name)
        inner = text.split("@", 1)[1].split(" ", 1)[0]
        neurons.append(text.replace(f"@{inner} ", f"@{name}_rule ", 1))
        bound = []
        for key, value in RULES[name][2].items():
            bits = 32 if key == "theta" else 8 if key == "h" else 16
            shape = (f"tensor<{len(value)}xi{bits}>" if isinstance(value, list)
                     else f"tensor<i{bits}>")
            constants.append(f"  dend.constant @{name}_{key} : {shape} = "
                             f"dense<{value}> : {shape}")
            bound.append(f"{key} = @{name}_{key}")
        populations.append(f"  dend.population @{name} : @{name}_rule[{size}] "
                           f"on @step bind {{{', '.join(bound)}}}")
        project(before, name, inputs if before == "x" else size, 0)
    project(names[-1], names[0], size, 1)
    prefix.with_suffix(".mlir").write_text(MIXED.format(
        inputs=inputs, last=names[-1], **{
            key: "\n".join(lines) for key, lines in (
                ("neurons", neurons), ("constants", constants),
                ("populations", populations), ("projections", projections))}))
    spikes = rng.random((samples, steps, inputs)) < .1
    np.save(prefix.with_suffix(".npy"), spikes.astype(np.uint8))

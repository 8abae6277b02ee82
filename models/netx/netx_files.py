# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NetX files (.net) of every layer type, storage type and size that the loader
takes, written with h5py. A layer is a dict of datasets; groups are dicts in it.

netx_files.py FOLDER [COUNT]    # writes random files, 0.net to COUNT-1.net
"""
import pathlib
import sys

import h5py
import numpy as np

TEXTS = ("fixed", "fixed array", "variable", "variable array")
WEIGHTS = ("i1", "i2", "i4", "i8", "f4", "f8")


def text(value, how="fixed array"):
    """A type string as NetX's writers store it, in all ways that load."""
    if how == "variable":
        return value
    if how == "variable array":
        return np.array([value], dtype=h5py.string_dtype())
    return np.array([value] if "array" in how else value, dtype="S16")


def write(path, layers, gzip=False, root=None):
    """Writes layers (in order, or a dict by name) as the group `layer`."""
    def fill(group, content):
        for key, value in content.items():
            if isinstance(value, dict):
                fill(group.create_group(key), value)
            elif gzip and np.ndim(value) and np.asarray(value).dtype.kind in "iuf":
                group.create_dataset(key, data=value, compression="gzip")
            elif not np.asarray(value).dtype.kind == "O" or isinstance(value, str):
                group.create_dataset(key, data=value)
            else:
                group.create_dataset(key, data=value, dtype=value.dtype)
    if not isinstance(layers, dict):
        layers = {str(i): layer for i, layer in enumerate(layers)}
    with h5py.File(path, "w") as file:
        fill(file, {"layer": layers, **(root or {})})
    return path


def cuba(i_decay=1024, v_decay=128, threshold=100, **more):
    return {"type": text("CUBA", "fixed"), "iDecay": i_decay, "vDecay": v_decay,
            "vThMant": threshold, "refDelay": 1, "gradedSpike": 0, **more}


def sdnn(threshold=5, **more):
    return {"type": text("SDNN", "fixed"), "activation": "relu",
            "vThMant": threshold, **more}


def resonator(kind="RF_PHASE", sine=2751.5, cosine=2751.5, threshold=4):
    """With a half more than whole numbers, which the loader's rounding keeps."""
    return {"type": text(kind, "fixed"), "sinDecay": sine, "cosDecay": cosine,
            "vThMant": threshold}


def entry(shape, neuron=None, **more):
    layer = {"type": text("input"), "shape": np.atleast_1d(shape), **more}
    return layer if neuron is None else {**layer, "neuron": neuron}


def dense(weight, neuron=None, outputs=None, **more):
    outputs = len(weight) if outputs is None else outputs
    layer = {"type": text("dense"), "shape": np.array([outputs]),
             "weight": weight, **more}
    return layer if neuron is None else {**layer, "neuron": neuron}


def dense_rec(weight, weight_rec, neuron, **more):
    return dense(weight, neuron, **{"type": text("dense_rec"),
                                    "weight_rec": weight_rec, **more})


def conv(shape, weight, neuron, stride=1, padding=0, dilation=1, groups=1, **more):
    return {"type": text("conv"), "shape": np.array(shape), "weight": weight,
            "neuron": neuron, "stride": stride, "padding": padding,
            "dilation": dilation, "groups": groups, **more}


def flatten(size):
    return {"type": text("flatten"), "shape": np.array([size])}


def conv_size(size, kernel, stride, padding, dilation):
    return (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


def random_weights(rng, shape, dtype="i4"):
    """Any weights that NetX keeps: even mixed ones, small odd ones, one sign."""
    kind = rng.integers(4)
    low, high, step = ((-256, 256, 2), (-127, 128, 1), (0, 256, 1),
                       (-255, 0, 1))[kind]
    weight = rng.integers(low // step, high // step, shape) * step
    weight[rng.random(shape) < 0.3] //= 8
    weight = weight // step * step
    if kind == 3:
        weight = np.minimum(weight, -1)
        weight.flat[0] = -251
    if dtype == "i1":
        weight = np.clip(weight, -126 if step == 2 else -127, 126)
    if not weight.any() or (kind < 2 and weight.max() <= 0):
        weight.flat[0] = 2
    return weight.astype(dtype)


def random_neuron(rng, graded, conv_layer=False, size=None):
    if graded:
        return sdnn(int(rng.integers(1, 40)))
    i_decay, v_decay = rng.choice([0, 1, 409, 1024, 4096], 2)
    if not conv_layer and rng.random() < 0.3:
        i_decay = rng.integers(0, 4097, size)
        v_decay = rng.integers(0, 4097, size).astype("i2")
    return cuba(i_decay, v_decay, int(rng.integers(1, 60)),
                **({"weight_exp": 6} if rng.random() < 0.3 else {}))


def random_network(rng):
    """Layers of a network that runs: (input) (conv)* flatten dense*."""
    graded = rng.random() < 0.4
    layers, shape = [], tuple(int(s) for s in rng.integers([1, 5, 5], [4, 10, 10]))
    maps = rng.random() < 0.6
    if maps or rng.random() < 0.5:
        shape = shape if maps else (int(rng.integers(2, 20)),)
        neuron = None
        if graded or rng.random() < 0.4:
            neuron = sdnn(int(rng.integers(1, 9))) if graded else cuba(4096, 4096, 3)
        layers.append(entry(shape, neuron))
    else:
        shape = (int(rng.integers(2, 20)),)
    for _ in range(int(rng.integers(1, 3)) if maps else 0):
        layers.append(random_conv(rng, shape, graded))
        shape = tuple(layers[-1]["shape"])
    if maps:
        layers.append(flatten(int(np.prod(shape))))
    for _ in range(int(rng.integers(1, 4))):
        outputs = int(rng.integers(1, 16))
        layers.append(random_dense(rng, int(np.prod(shape)), outputs, graded))
        shape = (outputs,)
    if graded and rng.random() < 0.4:
        layers[-1]["neuron"]["sigma_output"] = 1
        layers[-1].pop("bias", None)
    return layers


def random_conv(rng, shape, graded):
    groups = shape[0] if rng.random() < 0.3 else 1
    channels = groups * int(rng.integers(1, 3))
    stride, padding, dilation = (rng.integers(1, 3, 2), rng.integers(0, 2, 2),
                                 rng.integers(1, 3, 2))
    if rng.random() < 0.3:
        stride, padding, dilation = stride[:1], padding[:1], dilation[:1]
    pairs = [np.resize(each, 2) for each in (padding, dilation, stride)]
    kernel = [int(rng.integers(1, 1 + min(3, (s + 2 * p - 1) // d + 1)))
              for s, p, d in zip(shape[1:], *pairs[:2])]
    out = [conv_size(size, k, s, p, d) for size, k, p, d, s in
           zip(shape[1:], kernel, *pairs)]
    stride, padding, dilation = (each if len(each) == 2 else each[0]
                                 for each in (stride, padding, dilation))
    weight = rng.integers(-99, 100, (channels, shape[0] // groups, *kernel))
    if rng.random() < 0.5:
        weight = weight[..., None]
    more = {"bias": rng.integers(-9, 9, channels)} if rng.random() < 0.5 else {}
    return conv((channels, *out), weight.astype(rng.choice(WEIGHTS)),
                random_neuron(rng, graded, True), stride, padding, dilation,
                groups, **more)


def random_dense(rng, inputs, outputs, graded):
    dtype = rng.choice(WEIGHTS)
    weight = random_weights(rng, (outputs, inputs), dtype)
    neuron = random_neuron(rng, graded, False, outputs)
    more = {"inFeatures": inputs, "outFeatures": outputs}
    if rng.random() < 0.5:
        more["bias"] = rng.integers(-20, 20, outputs).astype(rng.choice(WEIGHTS))
    if rng.random() < 0.25 and not graded:  # sigma-delta loops grow beyond 32 bits
        recurrent = random_weights(rng, (outputs, outputs))
        if keeps(np.hstack((weight, recurrent))):
            return dense_rec(weight, recurrent, neuron, **more)
    if rng.random() < 0.4:
        sizes = [(), (outputs,), (inputs,), (outputs, inputs)]
        more["delay"] = rng.integers(0, 6, sizes[rng.integers(4)])
        if more["delay"].shape == (1,) and 1 not in (outputs, inputs):
            del more["delay"]
    if rng.random() < 0.3:
        weight = weight.reshape(-1)
    return dense(weight, neuron, outputs, **more)


def keeps(weight):
    low, high = int(weight.min()), int(weight.max())
    if low < 0 <= high:
        return high > 0 and (low >= -127 and high <= 127 or not (weight % 2).any())
    return low >= 0


if __name__ == "__main__":
    for number in range(int(sys.argv[2]) if len(sys.argv) > 2 else 20):
        generator = np.random.default_rng(number)
        write(pathlib.Path(sys.argv[1]) / f"{number}.net",
              random_network(generator), gzip=number % 2 == 1)

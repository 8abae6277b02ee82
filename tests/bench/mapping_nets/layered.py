# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layered networks as NIR files, with the input that drives them."""
import numpy as np

# Channels of 3x3 convolutions with padding 1, or CHANNELS:KERNEL:STRIDE without
# padding; P for sum-pooling by 2; then dense layers.
CONVOLUTIONS = {
    "cnn_s": ((2, 16, 16), "8 P 16 P 16", (10,)),
    "cnn_m": ((2, 32, 32), "8 8 P 16 16 P 32", (64, 10)),
    "cnn_l": ((3, 32, 32), "16 16 P 32 32 P 32 32 P", (128, 10)),
    "cnn_vggish": ((3, 32, 32), "32 32 P 64 64 P 96 96 P", (256, 10)),
    # PilotNet (Bojarski et al., 2016), on its frames of 66 by 200.
    "pilotnet": ((3, 66, 200), "24:5:2 36:5:2 48:5:2 64:3:1 64:3:1",
                 (100, 50, 10, 1)),
}
# Sizes, the input first, and the share of the synapses that there are.
PERCEPTRONS = {
    "mlp_sparse": ((784, 4096, 4096, 4096), .1),
    "mlp_dense": ((784, 1024, 1024, 10), 1.0),
}


def integrate_and_fire(shape):
    return {"type": "IF", "r": np.ones(shape),
            "v_threshold": np.ones(shape), "v_reset": np.zeros(shape)}


def leaky(shape, dt=1e-4):
    """A tenth of the potential leaks in a step; a unit of input adds one."""
    return {"type": "LIF", "tau": np.full(shape, 10 * dt),
            "r": np.full(shape, 10.), "v_leak": np.zeros(shape),
            "v_threshold": np.ones(shape), "v_reset": np.zeros(shape)}


def convolution(word, shape):
    """Kernel, stride, padding and the shape that a word makes of a map's."""
    channels, *form = map(int, word.split(":"))
    kernel, stride = form or (3, 1)
    padding = 0 if form else 1
    return kernel, stride, padding, (channels, *(
        (side + 2 * padding - kernel) // stride + 1 for side in shape[1:]))


def convolutional(name, rng):
    """Nodes of the network in order, by name."""
    shape, maps, dense = CONVOLUTIONS[name]
    nodes = {"input": {"type": "Input", "shape": np.array(shape)}}
    for n, word in enumerate(maps.split()):
        if word == "P":
            nodes[f"pool{n}"] = {
                "type": "SumPool2d", "kernel_size": np.array([2, 2]),
                "stride": np.array([2, 2]), "padding": np.array([0, 0])}
            shape = (shape[0], shape[1] // 2, shape[2] // 2)
            continue
        kernel, stride, padding, made = convolution(word, shape)
        weight = rng.normal(0, 1 / np.sqrt(kernel * kernel * shape[0]),
                            (made[0], shape[0], kernel, kernel))
        shape = made
        nodes[f"conv{n}"] = {
            "type": "Conv2d", "weight": weight, "bias": np.zeros(made[0]),
            "stride": np.array([stride] * 2),
            "padding": np.array([padding] * 2),
            "dilation": np.array([1, 1]), "groups": np.int64(1)}
        nodes[f"map{n}"] = integrate_and_fire(shape)
    nodes["flatten"] = {"type": "Flatten", "start_dim": np.int64(0),
                        "end_dim": np.int64(-1),
                        "input_type": np.array(shape)}
    size = int(np.prod(shape))
    for n, out in enumerate(dense):
        nodes[f"dense{n}"] = {
            "type": "Linear",
            "weight": rng.normal(0, 1 / np.sqrt(size), (out, size))}
        nodes[f"layer{n}"] = integrate_and_fire((out,))
        size = out
    return nodes


def perceptron(name, rng):
    sizes, density = PERCEPTRONS[name]
    nodes = {"input": {"type": "Input", "shape": np.array(sizes[:1])}}
    for n, (size, out) in enumerate(zip(sizes, sizes[1:])):
        weight = rng.normal(0, 1 / np.sqrt(size * density), (out, size))
        weight *= rng.random((out, size)) < density
        nodes[f"dense{n}"] = {"type": "Linear", "weight": weight}
        nodes[f"layer{n}"] = leaky((out,))
    return nodes


def write_nir(path, nodes, dt=1e-4):
    """A chain of the nodes, as the official writer lays files out. The file names its
    step, since it would pass for one of snnTorch without, whose reset `loihi1` has not."""
    import h5py
    text = h5py.string_dtype("utf-8")
    names = [*nodes, "output"]
    last = [n for n in nodes.values() if "v_threshold" in n][-1]
    nodes = {**nodes, "output": {"type": "Output", "shape": np.array(
        last["v_threshold"].shape)}}
    with h5py.File(path, "w") as f:
        f["version"] = "1.0.7"
        graph = f.create_group("node")
        graph.create_dataset("type", data="NIRGraph", dtype=text)
        graph.create_dataset("metadata/dt", data=dt)
        edges = np.array(list(zip(names, names[1:])), dtype=object)
        graph.create_dataset("edges", data=edges, dtype=text)
        for name, node in nodes.items():
            group = graph.create_group(f"nodes/{name}")
            for key, value in node.items():
                if isinstance(value, str):
                    group.create_dataset(key, data=value, dtype=text)
                elif np.ndim(value):
                    group.create_dataset(key, data=value, compression="gzip")
                else:
                    group.create_dataset(key, data=value)


def neurons_of(name):
    """Neurons of the network, without making it."""
    if name in PERCEPTRONS:
        return sum(PERCEPTRONS[name][0][1:])
    shape, maps, dense = CONVOLUTIONS[name]
    neurons = sum(dense)
    for word in maps.split():
        if word == "P":
            shape = (shape[0], shape[1] // 2, shape[2] // 2)
        else:
            shape = convolution(word, shape)[-1]
            neurons += int(np.prod(shape))
    return neurons


def make(name, prefix, seed=1, samples=2, steps=8, rate=.1):
    """PREFIX.nir and PREFIX.npy, the spikes that go in."""
    rng = np.random.default_rng(seed)
    maker = convolutional if name in CONVOLUTIONS else perceptron
    nodes = maker(name, rng)
    shape = tuple(nodes["input"]["shape"])
    events = rng.random((samples, steps, *shape)) < rate
    np.save(prefix.with_suffix(".npy"), events.astype(np.uint8))
    write_nir(prefix.with_suffix(".nir"), nodes)

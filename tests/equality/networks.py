# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small networks and chips for what no committed model has: convolutions, loops,
graded layers, NetX neurons, divided clocks, integer spikes, another barrier."""
import h5py
import numpy as np

TEXT = h5py.string_dtype("utf-8")
RECORD = "{{value: {}, unit: {}, kind: assumed, source: test}}"
CHIP = """base: loihi1
name: small-cores
description: a test
sources:
  test: this test
limits:
  compartments_per_core: {compartments}
timing:
  davies2018:
    barrier: {{fixed: {{time: {time}}}}}
"""
CLOCKS = """
dend.network @clocks {
  dend.clock @token
  dend.clock @micro divides @token by 4
  dend.input @x on @token : tensor<2xf64> as !dend.spike<int, -6, 9>
  dend.neuron @soma ports(%I : !dend.fx<16, 0> hold @token, %back : !dend.fx<16, 0>)
      params(%theta : !dend.fx<16, 0>) states(%v : !dend.fx<16, 0> reset @token)
      outputs(s : !dend.spike<binary>) {
    %a = dend.add %v, %I : (!dend.fx<16, 0>, !dend.fx<16, 0>) -> !dend.fx<16, 0>
    %b = dend.add %a, %back : (!dend.fx<16, 0>, !dend.fx<16, 0>) -> !dend.fx<16, 0>
    %s, %v1 = dend.fire %b, %theta reset subtract : (!dend.fx<16, 0>, !dend.fx<16, 0>) -> (i1, !dend.fx<16, 0>)
    dend.yield states(%v1 : !dend.fx<16, 0>) emit(%s : i1)
  }
  dend.neuron @counter ports(%n : !dend.fx<16, 0>) outputs(n : !dend.spike<int, -3, 3>) {
    %two = dend.literal 2 : i64 as !dend.fx<16, 0>
    %m = dend.sub %n, %two : (!dend.fx<16, 0>, !dend.fx<16, 0>) -> !dend.fx<16, 0>
    dend.yield emit(%m : !dend.fx<16, 0>)
  }
  dend.constant @theta : tensor<i16> = dense<100> : tensor<i16>
  dend.constant @W : tensor<3x2xi8> = dense<[[9, 2], [-3, 11], [7, 7]]> : tensor<3x2xi8>
  dend.constant @ones : tensor<1x3xi8> = dense<1> : tensor<1x3xi8>
  dend.constant @down : tensor<3x1xi8> = dense<[[-20], [15], [10]]> : tensor<3x1xi8>
  dend.population @S : @soma[3] on @micro bind {theta = @theta}
  dend.population @C : @counter[1] on @token
  dend.project @x -> @S["I"] #dend.dense weight @W delay 0
  dend.project @S -> @C["n"] #dend.dense weight @ones delay 0
  dend.project @C -> @S["back"] #dend.dense weight @down delay 1
  dend.output @spikes = @S["s"]
  dend.output @v = probe @S["v"]
  dend.output @count = @C["n"]
}
"""
WIDE = """
!v = !dend.fx<24, 0>
dend.network @integer {
  dend.clock @step
  dend.input @x on @step : tensor<6xf64> as !dend.spike<int, -8, 8>
  dend.neuron @ssf ports(%I : !v) params(%keep : !dend.fx<16, -12>, %p : !v, %s : !v)
      states(%v : !v reset sample) outputs(s : !dend.spike<int, -4, 4>) {
    %k = dend.mul %v, %keep : (!v, !dend.fx<16, -12>) -> !dend.fx<40, -12>
    %l = dend.rescale %k round floor overflow wrap : (!dend.fx<40, -12>) -> !v
    %v1 = dend.add %l, %I overflow saturate : (!v, !v) -> !v
    %n = dend.ssf %v1 shift %p scale %s vth 1.0 u 4.0 : (!v, !v, !v) -> i32
    dend.yield states(%v1 : !v) emit(%n : i32)
  }
  dend.neuron @read ports(%I : !v) states(%y : !v reset sample) {
    dend.yield states(%I : !v)
  }
  dend.constant @keep : tensor<i16> = dense<3300> : tensor<i16>
  dend.constant @p : tensor<i32> = dense<-20> : tensor<i32>
  dend.constant @s : tensor<i32> = dense<90> : tensor<i32>
  dend.constant @W0 : tensor<12x6xi8> = dense<WEIGHTS0> : tensor<12x6xi8>
  dend.constant @W1 : tensor<3x12xi8> = dense<WEIGHTS1> : tensor<3x12xi8>
  dend.population @L0 : @ssf[12] on @step bind {keep = @keep, p = @p, s = @s}
  dend.population @out : @read[3] on @step
  dend.project @x -> @L0["I"] #dend.dense weight @W0 delay 0
  dend.project @L0 -> @out["I"] #dend.dense weight @W1 delay 0
  dend.output @y = probe @out["y"] decode "last=5"
}
"""


def write_nir(path, nodes, edges):
    """A NIR graph as the official writer lays it out."""
    with h5py.File(path, "w") as file:
        file.create_dataset("version", data="1.0.7", dtype=TEXT)
        root = file.create_group("node")
        root.create_dataset("type", data="NIRGraph", dtype=TEXT)
        root.create_dataset("edges", data=np.array(edges, dtype=object), dtype=TEXT)
        for name, node in nodes.items():
            group = root.create_group(f"nodes/{name}")
            for key, value in node.items():
                group.create_dataset(key, data=value,
                                     dtype=TEXT if isinstance(value, str) else None)


def chain(nodes):
    return list(zip(list(nodes), list(nodes)[1:]))


def ends(nodes, inputs, outputs):
    return {"input": {"type": "Input", "shape": np.array(inputs)}, **nodes,
            "output": {"type": "Output", "shape": np.array(outputs)}}


def maps(rng):
    """Convolutions with groups, stride and dilation, and both poolings."""
    one, few = np.int64(1), {"padding": np.int64(0)}

    def conv(channels, fan_in, stride=1, dilation=1, groups=1):
        return {"type": "Conv2d", "weight": rng.normal(0.1, 0.35, (channels, fan_in, 3, 3)),
                "bias": np.zeros(channels), "stride": one * stride,
                "padding": one * dilation, "dilation": one * dilation,
                "groups": one * groups}

    def fire(*shape):
        return {"type": "IF", "r": np.ones(shape), "v_threshold": np.full(shape, 1.5)}

    nodes = {"conv0": conv(4, 2), "n0": fire(4, 10, 10),
             "pool1": {"type": "AvgPool2d", "kernel_size": 2 * one, "stride": 2 * one, **few},
             "conv1": conv(6, 2, dilation=2, groups=2), "n1": fire(6, 5, 5),
             "conv2": conv(5, 6, stride=2), "n2": fire(5, 3, 3),
             "flat": {"type": "Flatten", "input_type": np.array([5, 3, 3]),
                      "start_dim": np.int64(0), "end_dim": np.int64(-1)},
             "fc": {"type": "Linear", "weight": rng.normal(0, 0.4, (4, 45))},
             "n3": {"type": "LIF", "tau": np.full(4, 5e-4), "r": np.full(4, 5.0),
                    "v_leak": np.zeros(4), "v_threshold": np.ones(4)}}
    return ends(nodes, [2, 10, 10], [4])


def loop(rng):
    """Two layers with biases, the second back into the first."""
    def lif(size):
        return {"type": "LIF", "tau": np.full(size, 5e-4), "r": np.full(size, 5.0),
                "v_leak": np.zeros(size), "v_threshold": np.ones(size),
                "v_reset": np.full(size, -0.1)}

    def affine(rows, columns):
        return {"type": "Affine", "bias": rng.uniform(-0.05, 0.25, rows),
                "weight": rng.normal(0, 1.2 / np.sqrt(columns), (rows, columns))}

    nodes = ends({"fc1": affine(12, 6), "l1": lif(12), "fc2": affine(8, 12), "l2": lif(8)},
                 [6], [8])
    edges = chain(nodes) + [("l2", "back"), ("back", "l1")]
    nodes["back"] = {"type": "Linear", "weight": rng.normal(0, 0.3, (12, 8))}
    return nodes, edges


def graded(rng):
    """Layers that send reals, a delay, a scale and a threshold."""
    tau = np.full(6, 8e-4)
    nodes = {"scale": {"type": "Scale", "scale": rng.uniform(0.5, 1, 5)},
             "fc1": {"type": "Linear", "weight": rng.normal(0, 0.5, (6, 5))},
             "li": {"type": "LI", "tau": tau, "r": np.full(6, 2.0), "v_leak": np.zeros(6)},
             "delay": {"type": "Delay", "delay": np.repeat([1e-4, 3e-4], 3)},
             "fc2": {"type": "Linear", "weight": rng.normal(0, 0.5, (6, 6))},
             "cuba": {"type": "CubaLI", "tau_syn": tau / 2, "tau_mem": tau, "r": np.full(6, 2.0),
                      "v_leak": np.zeros(6), "w_in": np.full(6, 1.5)},
             "fc3": {"type": "Linear", "weight": rng.normal(0, 0.8, (3, 6))},
             "fire": {"type": "Threshold", "threshold": np.full(3, 0.2)}}
    return ends(nodes, [5], [3])


def write_net(path, layers):
    """A NetX file: dicts are groups, the rest datasets."""
    def fill(group, content):
        for key, value in content.items():
            if isinstance(value, dict):
                fill(group.create_group(key), value)
            elif isinstance(value, str):
                group.create_dataset(key, data=np.array([value], "S16"))
            else:
                group.create_dataset(key, data=value)
    with h5py.File(path, "w") as file:
        fill(file, {"layer": {str(n): layer for n, layer in enumerate(layers)}})


def netx(rng):
    """Networks by name: sigma-delta, resonators, and maps before dense layers."""
    cuba = {"type": "CUBA", "iDecay": 1024, "vDecay": 128, "vThMant": 60, "refDelay": 1,
            "gradedSpike": 0}
    sdnn = {"type": "SDNN", "activation": "relu", "vThMant": 5}
    phase = {"type": "RF_PHASE", "sinDecay": 2751.5, "cosDecay": 2751.5, "vThMant": 4}

    def even(*shape):
        return (rng.integers(-60, 61, shape) * 2).astype("i4")

    def dense(rows, columns, neuron, **more):
        return {"type": "dense", "shape": np.array([rows]), "weight": even(rows, columns),
                "neuron": neuron, **more}

    resonators = {"type": "dense", "shape": np.array([5]), "neuron": phase,
                  "weight": {"real": even(5, 8), "imag": even(5, 8)}}
    conv = {"type": "conv", "shape": np.array([3, 6, 6]), "weight": even(3, 1, 3, 3),
            "neuron": cuba, "stride": 1, "padding": 1, "dilation": 1, "groups": 1}
    return {
        "sdnn": [{"type": "input", "shape": np.array([8]), "neuron": sdnn},
                 dense(6, 8, sdnn), dense(4, 6, {**sdnn, "sigma_output": 1})],
        "resonators": [resonators, dense(3, 5, cuba, delay=rng.integers(0, 6, (3, 5)))],
        "netmaps": [{"type": "input", "shape": np.array([1, 6, 6])}, conv,
                    {"type": "flatten", "shape": np.array([108])},
                    dense(10, 108, cuba, bias=rng.integers(-9, 9, 10))],
    }


def write_nets(data):
    rng = np.random.default_rng(3)
    nodes = maps(rng)
    write_nir(data / "maps.nir", nodes, chain(nodes))
    write_nir(data / "loop.nir", *loop(rng))
    nodes = graded(rng)
    write_nir(data / "graded.nir", nodes, chain(nodes))
    for name, layers in netx(rng).items():
        write_net(data / f"{name}.net", layers)
    (data / "clocks.mlir").write_text(CLOCKS)
    text = WIDE
    for n, shape in enumerate(((12, 6), (3, 12))):
        text = text.replace(f"WEIGHTS{n}", str(rng.integers(-30, 31, shape).tolist()))
    (data / "wide.mlir").write_text(text)
    (data / "small-cores.yaml").write_text(CHIP.format(
        compartments=RECORD.format(48, "compartments"), time=RECORD.format(5000, "ps")))
    (data / "pinned.yaml").write_text(
        "- {population: lif1, first: 0, count: 128, core: 0}\n"
        "- {population: lif2, first: 0, count: 64, core: 37}\n"
        "- {population: lif2, first: 64, count: 64, core: 90}\n"
        "- {population: read, first: 0, count: 10, core: 127}\n")

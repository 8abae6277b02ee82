# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the seeds of the corpora from small good files; what a fuzzer found
since is added by hand.
usage: seeds.py DENDROLITH FOLDER"""
import io
import json
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/cli/hostile"))
sys.path[:0] = [str(ROOT / "tests/compiler/lava"), str(ROOT / "models/netx"),
                str(ROOT / "tests/compiler/import/torch")]
import netx_files as netx  # noqa: E402
import pt2  # noqa: E402
from lava_net import Net  # noqa: E402
from nir import edges, network, node, replace  # noqa: E402


def write(folder, name, content):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def tree(item):
    """A group or dataset as the HDF5 child sends it (hdf5/Wire.h)."""
    def number(value, size):
        return int(value).to_bytes(size, "little")

    def text(value):
        value = value if isinstance(value, bytes) else value.encode()
        return number(len(value), 4) + value

    attributes = number(len(item.attrs), 4)
    if isinstance(item, h5py.Group):
        members = b"".join(text(name) + tree(item[name]) for name in sorted(item))
        return b"\0" + attributes + number(len(item), 4) + members
    shape = number(len(item.shape), 1) + b"".join(number(n, 8) for n in item.shape)
    if h5py.check_string_dtype(item.dtype):
        strings = np.atleast_1d(item[()]).ravel()
        return b"\2" + attributes + shape + b"".join(text(s) for s in strings)
    kind = {"i": 0, "u": 1, "f": 2}[item.dtype.kind]
    return (b"\1" + attributes + shape + bytes([kind, item.dtype.itemsize])
            + np.asarray(item[()], "<f8").tobytes())


def nir_seeds(folder):
    def linear(file, nodes):
        node(nodes, "scale", "Scale", scale=np.array([2.0, 1, 1, 0.5]))
        node(nodes, "delay", "Delay", delay=np.array([0.0, 1e-4, 0, 2e-4]))
        edges(file, [("in", "scale"), ("scale", "delay"), ("delay", "fc"), ("fc", "lif"),
                     ("lif", "out")])

    def loop(file, nodes):
        node(nodes, "back", "Linear", weight=np.eye(3))
        edges(file, [("in", "fc"), ("fc", "lif"), ("lif", "back"), ("back", "lif"),
                     ("lif", "out")])

    def kind(name, **fields):
        def change(file, nodes):
            del nodes["lif"]
            node(nodes, "lif", name, **fields)
        return change

    def nested(file, nodes):
        nodes["sub/type"] = "NIRGraph"
        inner = nodes.create_group("sub/nodes")
        node(inner, "input", "Input", shape=np.array([3]))
        node(inner, "cut", "Threshold", threshold=np.ones(3))
        node(inner, "output", "Output", shape=np.array([3]))
        nodes["sub/edges"] = np.array([("input", "cut"), ("cut", "output")],
                                      dtype=h5py.string_dtype())
        edges(file, [("in", "fc"), ("fc", "lif"), ("lif", "sub"), ("sub", "out")])

    def flat(file, nodes):
        replace(nodes["in"], "shape", np.array([2, 2]))
        node(nodes, "flat", "Flatten", start_dim=0, end_dim=-1, input_type=np.array([2, 2]))
        edges(file, [("in", "flat"), ("flat", "fc"), ("fc", "lif"), ("lif", "out")])

    one, zero = np.ones(3), np.zeros(3)
    changes = {"plain": None, "linear": linear, "loop": loop, "nested": nested, "flatten": flat,
               "i": kind("I", r=one), "if": kind("IF", r=one, v_threshold=one),
               "li": kind("LI", tau=one / 100, r=one, v_leak=zero),
               "cuba": kind("CubaLIF", tau_syn=one / 100, tau_mem=one / 50, r=one, v_leak=zero,
                            v_threshold=one, v_reset=zero, w_in=np.float64(1))}
    with tempfile.TemporaryDirectory() as scratch:
        for i, (name, change) in enumerate(changes.items()):
            path = pathlib.Path(scratch) / "net.nir"
            network(path, change)
            if name in ("loop", "flatten"):
                write(folder.parent / "hdf5", name, path.read_bytes())
            with h5py.File(path) as file:
                # The first byte chooses import options.
                write(folder, name, bytes([64 + i % 3]) + tree(file))


def netx_seeds(folder):
    weight = np.array([[20, -6, 4, 8], [2, 4, -90, 6]])
    kernel = np.arange(8).reshape(2, 1, 2, 2)
    image = netx.conv((2, 2, 2), kernel, netx.cuba(), bias=np.arange(2))
    networks = {
        "dense": [netx.entry(4, netx.cuba(4096, 4096, 3)),
                  netx.dense(weight, netx.cuba(np.array([1, 4096])), delay=2, bias=np.ones(2))],
        "delays": [netx.dense(weight.ravel(), netx.cuba(), 2, delay=weight % 5)],
        "recurrent": [netx.dense_rec(weight[:, :2], weight[:, 2:], netx.cuba())],
        "conv": [netx.entry((1, 3, 3)), image, netx.flatten(8),
                 netx.dense(np.ones((1, 8)), netx.sdnn(sigma_output=1))],
        "sdnn": [netx.entry((1, 3, 3), netx.sdnn()), {**image, "neuron": netx.sdnn(), "stride": 1}],
        "complex": [netx.dense({"real": weight, "imag": weight % 3}, netx.resonator(), 2)],
        "integrator": [netx.dense(weight)],
    }
    with tempfile.TemporaryDirectory() as scratch:
        for name, layers in networks.items():
            with h5py.File(netx.write(pathlib.Path(scratch) / "n.net", layers)) as file:
                write(folder, name, b"\0" + tree(file))


def lava_seeds(folder):
    def pair(cls, synapse="Dense", **kwargs):
        """Input, a synapse, a neuron of the class, which another one reads."""
        weights = np.array([[3, -4], [0, 70], [-5, 6]], "i1")
        delayed = dict(delays=weights.astype("i4") % 4) if "Delay" in synapse else {}
        net = Net(cls).process("w", synapse, weights=weights, **delayed)
        net.process("p", cls, (3,), **kwargs)
        net.process("back", "Sparse", weights=np.eye(3, dtype="i2") * 9, weight_exp=-2)
        net.process("q", "ProdNeuron", (3, 1), exp=1)
        port = {"RF": "a_real_in", "RF_IZ": "a_real_in", "ProdNeuron": "a_in1"}.get(cls)
        net.input("x", "w", 0, 1).connect("w", "p", port)
        if cls != "ATRLIF":  # whose current must stay small
            net.connect("p", "back").connect("back", "p", port)
        net.connect("p", "q", "a_in1", reshape=[3, 1]).input("y", "q", -7, 7, "a_in2")
        return net

    bias = dict(bias_mant=np.array([1, -2, 3], "i2"), bias_exp=2)
    wave = dict(period=8.0, alpha=0.05, state_exp=6, decay_bits=12, vth=4)
    sums = dict(vth=3.5, spike_exp=1, state_exp=2, cum_error=True)
    networks = {
        "lif": pair("LIF", "DelayDense", du=409, dv=np.array([1, 9, 99], "i4"), vth=20, **bias),
        "lif_body": pair("LIF", du=-1, u=np.array([0, 1 << 24, 5], "i4"), vth=-3),
        "lif_reset": pair("LIFReset", reset_interval=3, reset_offset=1, **bias),
        "ternary": pair("TernaryLIF", "DelaySparse", vth_hi=9, vth_lo=-9),
        "atrlif": pair("ATRLIF", delta_i=0.4, theta_0=5.0, theta_step=3.75),
        "rf": pair("RF", **wave), "rf_iz": pair("RF_IZ", "Sparse", **wave),
        "delta": pair("Delta", **sums), "sigma": pair("Sigma"),
        "sigma_delta": pair("SigmaDelta", act_mode="UNIT", bias=2, **sums),
        "graded": pair("GradedVec", vth=2), "relu": pair("GradedReluVec", vth=2),
        "product": pair("ProdNeuron", exp=3),
    }
    conv = Net("conv").process("w", "Conv", weight=np.arange(8, dtype="i1").reshape(2, 2, 2, 1),
                               input_shape=(4, 3, 2), groups=2, padding=(1, 0), stride=(2, 1))
    conv.process("p", "LIF", (3, 2, 2), vth=np.arange(12, dtype="i4"))
    conv.process("turned", "GradedVec", (2, 2, 3))
    conv.connect("w", "p").connect("p", "turned", transpose=[1, 2, 0]).input("x", "w", 0, 1)
    networks["conv"] = conv
    for name, net in networks.items():
        write(folder, name, net.message().SerializeToString(deterministic=True))


def array_seeds(folder):
    def saved(array):
        file = io.BytesIO()
        np.save(file, array)
        return file.getvalue()

    for kind in ("?", "i1", ">i2", "<u4", "<i8", "<f2", ">f4", "<f8", "<c8"):
        write(folder, np.dtype(kind).name + ("_big" if kind[0] == ">" else ""),
              saved(np.arange(6).reshape(2, 3).astype(kind)))
    write(folder, "fortran", saved(np.asfortranarray(np.ones((2, 3, 2)))))
    write(folder, "scalar", saved(np.float64(2)))
    for name, save in (("stored", np.savez), ("deflated", np.savez_compressed)):
        file = io.BytesIO()
        save(file, a=np.ones(40), b=np.arange(3))
        write(folder, name, file.getvalue())


def compiled(dendrolith, model, target):
    """The message of a program image, without the header in front of it."""
    with tempfile.TemporaryDirectory() as scratch:
        image = pathlib.Path(scratch) / "p.dlp"
        subprocess.run([dendrolith, "compile", model, "--target", target, "-o", image],
                       check=True, capture_output=True)
        return image.read_bytes()[76:]


def program_seeds(folder, dendrolith):
    # Those in reals need samples first.
    models = {"cuba": (ROOT / "tests/cli/Inputs/two.mlir", "ideal"),
              **{path.stem: (path, "loihi2") for path in (ROOT / "models/neurons").glob("*.mlir")
                 if not path.stem.endswith("_real")}}

    def protoc(action, content):
        return subprocess.run(
            ["protoc", f"--{action}=dendrolith.image.Program", "-I", ROOT,
             "runtime/image/program.proto"],
            input=content, capture_output=True, check=True, cwd=ROOT).stdout

    for name, (model, target) in models.items():
        # With next to no text of the chip, which has a target of its own.
        lines = [b'target_yaml: "-"' if line.startswith(b"target_yaml") else line
                 for line in protoc("decode", compiled(dendrolith, model, target)).split(b"\n")]
        message = protoc("encode", b"\n".join(lines))
        write(folder, name, message)
        if name in ("cuba", "lif"):
            write(folder, name + "_sections", in_sections(message))


def fields(message):
    """The top fields of a protobuf message: number, bytes with the tag, content."""
    def varint(at):
        value = shift = 0
        while True:
            value |= (message[at] & 127) << shift
            shift += 7
            at += 1
            if message[at - 1] < 128:
                return value, at

    at = 0
    while at < len(message):
        begin = at
        tag, at = varint(at)
        assert tag & 7 in (0, 2), "no such field in programs and cores"
        value, content = varint(at)
        at = content + (value if tag & 7 == 2 else 0)
        yield tag >> 3, message[begin:at], message[content:at]


def in_sections(message):
    """A program as the fuzz target takes a file of sections: their index has no digests."""
    def varint(value):
        return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + varint(value >> 7)

    def pack(number, content):
        return varint(number << 3 | 2) + varint(len(content)) + content

    def section(number, content):
        return pack(number, b"\x08" + varint(len(content)))

    parts, index, head = [], b"", b""
    for number, whole, core in fields(message):
        if number != 12:
            head += whole
            continue
        groups = b"".join(w for n, w, _ in fields(core) if n not in (3, 4))
        memory = b"".join(w for n, w, _ in fields(core) if n in (3, 4))
        ids = b"".join(w for n, w, _ in fields(core) if n == 1)
        parts += [groups, memory]
        index += pack(2, ids + section(2, groups) + section(3, memory))
    index = section(1, head) + index
    return b"DENDROLITH2\n" + b"".join(parts) + head + index + bytes([len(index)])


def events_seeds(folder):
    def archive(flat=True, **more):
        place = dict(ch=[0, 2]) if flat else dict(y=[0, 1], x=[2, 0])
        return dict(t=[0, 3], **place, **more)

    seeds = {"channels": (0, archive()), "places": (1, archive(False)),
             "cube": (2, archive(False, p=[1, 0])), "samples": (0, archive(sample=[0, 2])),
             "begin": (0, archive(begin=[0, 1, 2])), "steps": (0, archive(steps=[9]))}
    names = ["t", "ch", "x", "y", "p", "sample", "begin", "steps"]
    for name, (shape, arrays) in seeds.items():
        write(folder, name, bytes([4 * shape + 2]) + b"".join(
            bytes([names.index(key), 0, len(values), *values]) for key, values in arrays.items()))
    file = io.BytesIO()
    np.savez(file, t=np.arange(3), ch=np.arange(3))
    write(folder, "archive", b"\1" + file.getvalue())
    for kind in ("?", "i1", "<i2", "<u4", "<i8", ">i4", "<f2", "<f4", "<f8"):
        file = io.BytesIO()
        np.save(file, (np.arange(12).reshape(2, 2, 3) % 2).astype(kind))
        write(folder, "dense_" + np.dtype(kind).name, b"\0" + file.getvalue())


def mapping_seeds(out, dendrolith):
    write(out / "placement", "whole", b"""- {population: a, first: 0, count: 3, core: 0}
- {population: hidden, first: 0, count: 5, core: 1}
- {population: hidden, first: 6, count: 6, core: 1, slice: 1}
- {population: hidden, first: 5, count: 1, core: 2}
- {population: b, first: 0, count: 2, core: 3}
""")
    write(out / "placement", "part", b"[{population: a, first: 1, count: 1, core: 3},\n"
          b" {population: old, first: 0, count: 7, core: 0}]\n")
    message = compiled(dendrolith, ROOT / "tests/cli/Inputs/two.mlir", "tiny")
    write(out / "placement", "image", b"\0" + message)
    write(out / "constraints", "all", b"""pin:
  - {population: hidden, first: 0, count: 4, core: 2}
  - {population: a, tile: 1}
  - {population: b, chip: 0}
together:
  - {of: [a, {population: hidden, first: 8, count: 2}]}
  - {of: [b], within: tile}
apart:
  - {of: [a, b], within: tile}
forbid:
  - {core: 3}
reserve:
  - {compartments_per_core: 2, synapse_memory_words: 4}
  - {in_axons: 4, core: 0}
host: {tile: 0}
""")
    write(out / "constraints", "forbidden_tile", b"forbid: [{tile: 2}]\n")
    write(out / "constraints", "together", b"together: [{of: [a, b, hidden]}]\n")


def result_seeds(folder, dendrolith):
    model = ROOT / "tests/cli/Inputs/two.mlir"
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch)
        np.save(out / "x.npy", np.ones((2, 5, 2), "u1"))
        for engine in ("cycle", "float"):
            subprocess.run([dendrolith, "run", model, "--target", "tiny", "--engine", engine,
                            "--input", out / "x.npy", "--out", out / engine],
                           check=True, capture_output=True)
            result = json.loads((out / engine / "result.json").read_bytes())
            # Only the tables of its files are part of a seed.
            result["hashes"] = dict.fromkeys(result["hashes"])
            both = []
            if (out / engine / "tables.json").exists():
                result["hashes"]["tables_sha256"] = "@TABLES@"
                both = [(out / engine / "tables.json").read_bytes()]
            text = json.dumps(result, separators=(",", ":")).replace(f"{ROOT}/", "")
            write(folder, engine, b"\0".join([text.encode(), *both]))


def study_seeds(folder):
    example = (ROOT / "runtime/explore/study/example.yaml").read_bytes()
    write(folder, "example", example)
    for path in sorted((ROOT / "models/studies").glob("*.yaml")):
        write(folder, path.stem, path.read_bytes())
    head = b"models: [{name: m, model: two.mlir, input: x.npy}]\ntarget: [loihi2, loihi1]\n"
    write(folder, "points", head + b"strategy: {file: points.csv}\n\0"
          b"microcode.lanes,compile.map-for\n1,time\n4,energy\n")
    vary = b"vary: {microcode.lanes: [1, 4, 16], compile.map-for: [time, energy]}\n"
    for strategy in (b"one-at-a-time", b"{random: 3}", b"{latin: 3}", b"{sobol: 4}"):
        write(folder, strategy.split(b":")[0].strip(b"{").decode(), head + vary + b"strategy: "
              + strategy + b"\nseed: 3\nrepeat: 2\nwhere: \"microcode.lanes * 2 > 1 and not model"
              b" == 'n' or -1 < 3 % 2\"\nbudget: {points: 5}\ntogether: [[microcode.lanes]]\n")


def point_seeds(folder):
    point = {"version": 2, "design": {"model": "m", "target": "loihi2",
                                      "values": {"microcode.lanes": "4"}, "repeat": 1},
             "state": "done", "reason": "", "shortage": None,
             "values": {"energy": [1.5, 4.0], "score": [1.0, 1.0]},
             "samples": {"latency_ps": [3000000], "right": [True, False], "energy": [[1.5, 4.0]]},
             "energy_by_event": {"spikes": [0.5, 1.0]}, "energy_by_layer": {"L0": [1.5, 4.0]},
             "area_by_part": {"memory": [2.0, 3.0]},
             "closed_by": [["core 3 receive", 12]],
             "fit": [{"resource": "in_axons", "used": 3.0, "limit": 4096.0}]}
    short = {**point, "state": "unfit", "reason": "L0 needs more", "shortage": point["fit"][0]}
    for name, value in (("done", point), ("unfit", short)):
        write(folder, name, json.dumps(value, indent=1).encode())


def pt2_seeds(folder):
    def put(name, graph, *outputs):
        weights = {k: {"shape": list(v.shape), "values": v.ravel().tolist()}
                   for k, v in graph.weights.items()}
        content = {**graph.file(*outputs), "weights": weights}
        write(folder, name, json.dumps(content).encode())

    def leaky(graph, shape, drive):
        v = graph.user("v", shape)
        kept = graph.op("mul.Tensor", shape, self=v, other=0.5)
        return graph.op("add.Tensor", shape, self=kept, other=drive)

    def dense(graph, x, inputs, outputs):
        w = graph.weight(f"w{outputs}", np.arange(inputs * outputs).reshape(outputs, inputs) / 8)
        turned = graph.op("permute.default", (inputs, outputs), self=w, dims=[1, 0])
        return graph.op("mm.default", (1, outputs), self=x, mat2=turned)

    graph = pt2.Graph()
    new = leaky(graph, (1, 4), dense(graph, graph.user("x", (1, 3)), 3, 4))
    spike = graph.op("gt.Scalar", (1, 4), self=new, other=1.0)
    put("lif", graph, dense(graph, spike, 4, 2), new)
    graph = pt2.Graph()
    x = graph.user("x", (1, 1, 4, 4))
    drive = graph.op("convolution.default", (1, 2, 4, 4), input=x, weight=graph.weight(
        "k", np.ones((2, 1, 3, 3))), bias=graph.weight("b", np.ones(2)), stride=[1, 1],
        padding=[1, 1], dilation=[1, 1], transposed=False, output_padding=[0, 0], groups=1)
    new = leaky(graph, (1, 2, 4, 4), drive)
    most = graph.op("max_pool2d_with_indices.default", (1, 2, 2, 2), self=new,
                    kernel_size=[2, 2], stride=[2, 2])
    mean = graph.op("avg_pool2d.default", (1, 2, 2, 2), self=new, kernel_size=[3, 3],
                    stride=[2, 2], padding=[1, 1])
    put("pooled", graph, graph.op("sub.Tensor", (1, 2, 2, 2), self=most, other=mean), new)
    graph = pt2.Graph()
    x = graph.op("view.default", (1, 4, 3), self=dense(graph, graph.user("x", (1, 3)), 3, 12),
                 size=[1, 4, 3])
    new = leaky(graph, (1, 4, 3), x)
    normed = graph.op("native_layer_norm.default", (1, 4, 3), input=new, normalized_shape=[3],
                      weight=graph.weight("g", np.ones(3)), bias=graph.weight("s", np.ones(3)), eps=1e-5)
    sums = graph.op("sum.dim_IntList", (1, 4), self=normed, dim=[2])
    share = graph.op("_softmax.default", (1, 4), self=sums, dim=1, half_to_float=False)
    put("dendrites", graph, graph.op("round.default", (1, 4), self=share), new)


def serve_seeds(folder):
    def lines(*requests):
        return "".join(json.dumps(request) + "\n" for request in requests).encode()

    made = [{"id": 1, "do": "compile", "name": "m", "args": ["two.mlir", "--target", "tiny"]}]
    write(folder, "hello", lines({"id": 1, "do": "hello"}, {"do": "drop", "name": "m"}))
    write(folder, "load", lines({"id": "a", "do": "load", "name": "m", "args": ["two.mlir"]},
                                {"do": "save", "name": "m", "file": "m.dlp"}))
    write(folder, "save", lines(*made, {"id": 2, "do": "save", "name": "m", "file": "m.dlp"},
                                {"id": 3, "do": "load", "name": "n", "args": ["m.dlp"]}))
    write(folder, "run", lines(*made, {"id": 2, "do": "run", "name": "m", "args": [
        "--input", "none.npy", "--out", "o", "--engine", "functional", "--trace", "a:v"]}))
    write(folder, "check", lines({"id": None, "do": "check", "args": ["two.mlir", "--target", "odin"]}))


if __name__ == "__main__":
    out = pathlib.Path(sys.argv[2])
    nir_seeds(out / "nir")
    netx_seeds(out / "netx")
    lava_seeds(out / "lava")
    array_seeds(out / "arrays")
    program_seeds(out / "program", sys.argv[1])
    events_seeds(out / "events")
    mapping_seeds(out, sys.argv[1])
    result_seeds(out / "result", sys.argv[1])
    write(out / "trained", "mmdend", (ROOT / "tests/compiler/import/Inputs/tiny.npz").read_bytes())
    write(out / "trained", "dendricl", (ROOT / "models/dendricl/tiny.npz").read_bytes())
    for i in range(6):
        write(out / "bodies", f"seed{i}", bytes([i, 0, 0, 0, i]))
    study_seeds(out / "study")
    point_seeds(out / "point")
    serve_seeds(out / "serve")
    pt2_seeds(out / "pt2")
    for path in ("tiny/chip", "loihi2-binary/chip", "loihi1/costs-davies2018"):
        write(out / "yaml", path.replace("/", "-"),
              (ROOT / "targets" / (path + ".yaml")).read_bytes())

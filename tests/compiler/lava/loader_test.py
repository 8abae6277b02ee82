# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/dendrolith_lava/checks.py,
# runtime/python/dendrolith_lava/__init__.py.
"""What the loader refuses, and how: a FileError of one clear line, raised before
a process is built or memory taken; and what `python -m dendrolith_lava` prints."""
import os
import pathlib
import resource
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = sys.argv[3]
sys.path[:0] = [PACKAGE, str(HERE / "standin"), str(HERE.parents[1] / "e2e")]
from support import FOLDER, ROOT, check, dendrolith, np  # noqa: E402

try:
    import google.protobuf  # noqa: F401
except ImportError:
    print("skipped: protobuf for Python is not installed")
    sys.exit(77)
import lava.magma.core.process.process as process_module  # noqa: E402
from dendrolith_lava import FileError, arithmetic as fx, lava_pb2 as pb, load, read  # noqa: E402
from dendrolith_lava.body import Body  # noqa: E402

neurons, lif = ROOT / "models" / "neurons", ROOT / "models" / "lif"
good, stock = FOLDER / "good.pb", FOLDER / "stock.pb"
dendrolith("export", neurons / "two_compartment.mlir", "--format", "lava", "-o", good)
dendrolith("export", lif / "shapes_lif.nir", "--calibrate", lif / "calib_x.npy", "--format", "lava",
        "-o", stock)

built = []
make = process_module.AbstractProcess.__new__
process_module.AbstractProcess.__new__ = staticmethod(
    lambda cls, **kwargs: built.append(cls) or make(cls, **kwargs))


def refused_bytes(text, content):
    path = FOLDER / "bad.pb"
    path.write_bytes(content)
    before = len(built)
    try:
        load(path)
    except FileError as error:
        message = str(error)
    else:
        message = "nothing was raised"
    check(text in message and "\n" not in message and len(built) == before, f"refused: {message[:150]}")


def refused(text, change, base=good):
    message = pb.Model.FromString(base.read_bytes())
    change(message)
    refused_bytes(text, message.SerializeToString())


def process(message, name):
    return next(p for p in message.processes if p.name == name)


def kwarg(name, key, set_value):
    return lambda m: set_value(process(m, name).kwargs[key])


def tensor(dtype, dims, content=b""):
    def change(value):
        value.tensor.CopyFrom(pb.Tensor(dtype=dtype, dims=dims, dense=content))
    return change


data = good.read_bytes()
refused_bytes("no Lava model", b"\xff" * 100)
refused_bytes("schema version 0", b"")
for cut in (1, len(data) // 3, len(data) // 2, len(data) - 1):
    refused_bytes("", data[:cut])
deep = pb.Operation(name="when")
for _ in range(300):
    outer = pb.Operation(name="when")
    outer.region.append(deep)
    deep = outer
try:
    nested = pb.Model(schema_version=1, neurons=[pb.Neuron(name="n", body=[deep])]).SerializeToString()
except Exception:  # some versions of protobuf do not write it either
    nested = b"\x0a" * 50
refused_bytes("", nested)

refused("schema version 2", lambda m: setattr(m, "schema_version", 2))
for name in ("os.system", "subprocess.Popen", "lava.proc.lif.process.AbstractLIF",
             "lava.proc.io.sink.Read", "dendrolith_lava.population.PopulationModel", ""):
    refused("is not among those that are loaded",
            lambda m, name=name: setattr(m.processes[0], "lava_class", name))
refused("a name used before", lambda m: setattr(m.processes[1], "name", m.processes[0].name))
refused("shape [4611686018427387904", lambda m: m.processes[0].shape.__setitem__(0, 1 << 62))
refused("shape [0]", lambda m: m.processes[0].shape.__setitem__(0, 0))
refused("expected up to 4 axes", lambda m: m.processes[0].shape.extend([1] * 9))
refused("keyword 'shell' is not one of", kwarg("lif1", "shell", lambda v: setattr(v, "flag", True)), stock)
refused("expected number, found text", kwarg("lif1", "du", lambda v: setattr(v, "text", "1")), stock)
refused("expected integers", kwarg("lif1", "u", tensor("f4", [128], b"\0" * 512)), stock)
refused("expected [128]", kwarg("lif1", "u", tensor("i4", [2], b"\0" * 8)), stock)
refused("dtype 'O'", kwarg("lif1.input", "weights", tensor("O", [1, 1], b"\0")), stock)
refused("take 4611686018427387904 bytes, found 1",
        kwarg("lif1.input", "weights", tensor("i4", [1 << 30, 1 << 30], b"\0")), stock)
refused("1 axes, expected 2", kwarg("lif1.input", "weights", tensor("i1", [4], b"\0" * 4)), stock)
refused("keyword 'weights' is missing", lambda m: process(m, "lif1.input").kwargs.pop("weights"), stock)
refused("expected 0 to 63", kwarg("n.x_1", "delays", lambda v: setattr(v, "integer", 64)))
refused("second time", lambda m: m.connections.append(m.connections[0]))
refused("its target is not in the file", lambda m: setattr(m.connections[0], "target_port", "__class__"))
refused("its source is not in the file", lambda m: setattr(m.connections[0], "source", "elsewhere"))
refused("transpose [0, 0]", lambda m: m.connections[0].transpose.extend([0, 0]))
refused("cannot become", lambda m: m.connections[0].reshape.extend([1 << 40, 1 << 40]))
refused("expected [128]", lambda m: m.connections[0].reshape.extend([1, 128]), stock)
refused("its source is not in the file", lambda m: setattr(m.outputs[0], "source_port", "__init__"))
refused("its target is not in the file", lambda m: setattr(m.inputs[0], "target", "n"))
refused("input 'x': from", lambda m: setattr(m.inputs[0], "lowest", 7))
refused("shape [3, 1], expected [3]", lambda m: m.inputs[0].shape.append(1))


def body(change):
    return lambda m: change(m.neurons[0])


def first(n, name):
    return next(op for op in n.body if op.name == name)


refused("'param_k' is missing", lambda m: process(m, "n").kwargs.pop("param_k"))
refused("belongs to nothing", kwarg("n", "param_other", lambda v: setattr(v, "integer", 1)))
refused("is not in the file", kwarg("n", "neuron", lambda v: setattr(v, "text", "other")))
refused("a number beyond its type", kwarg("n", "init_d", lambda v: setattr(v, "integer", 1 << 40)))
refused("expected a text, found None", lambda m: process(m, "n").kwargs.pop("neuron"))
refused("operation 'exec' is not known", body(lambda n: setattr(n.body[0], "name", "exec")))
refused("reads a value that is not there", body(lambda n: n.body[0].operands.__setitem__(0, 4000)))
refused("65 bits", body(lambda n: setattr(n.states[0].type, "bits", 65)))
refused("at most", body(lambda n: n.states[0].type.dims.extend([1 << 31, 1 << 31])))
refused("do not fit", body(lambda n: first(n, "dot").operands.pop()))
refused("its result has dims", body(lambda n: n.body[-1].results[0].dims.append(3)))
refused("a second 'v'", body(lambda n: setattr(n.states[0], "name", "v")))
refused("is reset at", body(lambda n: setattr(n.states[0], "reset", "@step")))
refused("a new value for each state", body(lambda n: n.next.pop()))
refused("becomes value", body(lambda n: n.emits.__setitem__(0, 0)))


def csr(indptr, indices, values, dims=(2, 3)):
    def change(m):
        p = m.processes.add(name="s", lava_class="lava.proc.sparse.process.Sparse")
        value = p.kwargs["weights"].tensor
        value.dtype = "i1"
        value.dims.extend(dims)
        value.csr.indptr = np.array(indptr, "<i8").tobytes()
        value.csr.indices = np.array(indices, "<i4").tobytes()
        value.csr.data = np.array(values, "i1").tobytes()
    return change


refused("row starts for 2 rows", csr([0, 1], [0], [1]))
refused("do not rise", csr([0, 2, 1], [0, 1], [1, 1]))
refused("do not rise from 0 to 2", csr([0, 1, 9], [0, 1], [1, 1]))
refused("do not rise within 3 columns", csr([0, 2, 2], [1, 1], [1, 1]))
refused("do not rise within 3 columns", csr([0, 1, 2], [0, 3], [1, 1]))
refused("of data", csr([0, 1, 2], [0, 1], [1]))
refused("no sparse matrix", csr([0], [], [], (1 << 40, 3)))


# Numbers that a constructor would take memory for, or compute nonsense with.
def alone(lava_class, **values):
    def change(m):
        p = m.processes.add(name="alone", lava_class=f"lava.proc.{lava_class}", shape=[2])
        for key, value in values.items():
            kind = {int: "integer", float: "real", bool: "flag"}[type(value)]
            setattr(p.kwargs[key], kind, value)
    return change


rf = dict(period=8.0, alpha=0.1)
for words, lava_class, values in (
        ("'state_exp': expected 0 to 30, found 30000000000", "rf.process.RF",
         dict(rf, state_exp=30000000000)),
        ("'decay_bits': expected 0 to 30", "rf_iz.process.RF_IZ", dict(rf, decay_bits=31)),
        ("'alpha': expected 0 to 1", "rf.process.RF", dict(rf, alpha=1.5)),
        ("has no finite frequency", "rf.process.RF", dict(rf, period=0.0)),
        ("'vth': expected at most", "rf.process.RF", dict(rf, state_exp=30, vth=3.0)),
        ("'spike_exp': expected 0 to 15", "sdn.process.Delta", dict(vth=1.0, spike_exp=16)),
        ("'vth': expected at most", "sdn.process.SigmaDelta",
         dict(vth=4.0, spike_exp=15, state_exp=15)),
        ("'du': expected -1 to 4095", "lif.process.LIF", dict(du=4096)),
        ("'vth': expected -33554432", "lif.process.LIF", dict(vth=1 << 40)),
        ("'bias_exp': expected a bias of at most", "lif.process.LIF",
         dict(bias_mant=8, bias_exp=30)),
        ("'reset_interval': expected 1", "lif.process.LIFReset", dict(reset_interval=0)),
        ("'delta_i': expected 0 to 1", "atrlif.process.ATRLIF", dict(delta_i=-0.5)),
        ("'theta_0': expected at most", "atrlif.process.ATRLIF", dict(theta_0=1e9)),
        ("'exp': expected 0 to 31", "prodneuron.process.ProdNeuron", dict(exp=64))):
    refused(words, alone(lava_class, **values))
refused("'weight_exp': expected -31 to 31",
        kwarg("lif1.input", "weight_exp", lambda v: setattr(v, "integer", 32)), stock)
refused("'num_weight_bits': expected 1 to 8",
        kwarg("lif1.input", "num_weight_bits", lambda v: setattr(v, "integer", 9)), stock)
refused("'max_delay': expected 0 to 63",
        kwarg("n.x_1", "max_delay", lambda v: setattr(v, "integer", 64)))

# Bodies say how they round, and what an overflow does.
for name, key in (("rescale", "rounding"), ("rescale", "overflow"), ("shift", "rounding")):
    for m in (pb.Model.FromString(good.read_bytes()),):
        op = m.neurons[0].body.add(name=name, operands=[0] * (2 if name == "shift" else 1))
        op.results.add().CopyFrom(m.neurons[0].ports[0].type)
        for other in ("rounding", "overflow"):
            op.attributes[other].text = {"rounding": "floor", "overflow": "wrap"}[other]
        del op.attributes[key]
        refused_bytes(f"{key} None, expected one of", m.SerializeToString())


def ladder(value):
    def change(m):
        n = m.neurons[0]
        count = sum(map(len, (n.ports, n.parameters, n.states))) + sum(
            len(op.results) for op in n.body)
        wide = pb.Type(bits=32)
        for number in (5, value):
            op = n.body.add(name="literal", results=[wide])
            op.attributes["value"].integer = number
        op = n.body.add(name="ssf", operands=[count, count, count + 1], results=[wide])
        op.attributes["vth"].real, op.attributes["u"].real = 1.0, 4.0
    return change


refused("a scale of 0 or less", ladder(0))


def computed(value):
    """A neuron whose ssf has the scale 5 - value, which only a step knows."""
    m = pb.Model.FromString(good.read_bytes())
    ladder(value)(m)
    n = m.neurons[0]
    ssf = n.body[-1]
    five, number = ssf.operands[1:]
    n.body.add(name="sub", operands=[five, number], results=[pb.Type(bits=32)])
    again = n.body.add()
    again.CopyFrom(ssf)
    again.operands[2] = number + 2  # behind the first ssf comes the difference
    return Body(n)


# A computed scale may be 0 or less: rungs are counted, as the engines do.
for value in (4, 5, 9):
    body = computed(value)
    body.step(*([np.zeros((1,) + kind.dims, np.int64) for _, kind in fields]
                for fields in (body.ports, body.parameters, body.states)))
for bits in (24, 60):  # int64, and integers of any size
    v, shift, scale = np.random.default_rng(bits).integers(-60, 61, (3, 2000))
    scale[:200] = 0
    for vth, u in ((1.0, 4.0), (0.25, 1.0), (3.0, 3.0)):
        rungs = np.arange(1 - u / vth, u / vth + 1)
        counted = (v[:, None] >= shift[:, None] + scale[:, None] * vth * rungs).sum(1) - u / vth
        check((fx.ladder(v, shift, scale, bits, vth, u) == counted).all(),
              f"rungs of {vth} up to {u} in {bits} bits")


# DelaySparse takes delays as a sparse matrix.
def late(delays, dims=(2, 3), form="csr", most=0):
    def change(m):
        csr([0, 1, 2], [0, 2], [1, 1])(m)
        p = m.processes[-1]
        p.lava_class = "lava.proc.sparse.process.DelaySparse"
        if most:
            p.kwargs["max_delay"].integer = most
        value = p.kwargs["delays"].tensor
        value.dtype = "i1"
        value.dims.extend(dims)
        if form == "csr":
            value.csr.indptr = np.array([0, 1, 2], "<i8").tobytes()
            value.csr.indices = np.array([0, 2], "<i4").tobytes()
            value.csr.data = np.array(delays, "i1").tobytes()
        else:
            value.dense = np.array(delays, "i1").tobytes()
    return change


refused("expected delays from 0 to 63", late([1, 64]))
refused("'delays': shape [2, 4], expected that of weights, [2, 3]", late([1, 2], (2, 4)))
refused("at least the longest delay, 5, found 4", late([1, 5], most=4))
for given, form in (([7, 3], "csr"), ([[7, 0, 0], [0, 0, 3]], "dense")):
    message = pb.Model.FromString(good.read_bytes())
    late(given, form=form)(message)
    (FOLDER / "late.pb").write_bytes(message.SerializeToString())
    delays = load(FOLDER / "late.pb")["s"].given["delays"]
    check(delays.toarray().tolist() == [[7, 0, 0], [0, 0, 3]], f"{form} delays of DelaySparse")

# An output named like a list of Lava's own.
message = pb.Model.FromString(good.read_bytes())
for c in message.connections:
    c.source_port = "out_ports" if c.source == "n" else c.source_port
for o in message.outputs:
    o.source_port = "out_ports" if not o.probe else o.source_port
message.neurons[0].outputs[0].name = "ports"
(FOLDER / "ports.pb").write_bytes(message.SerializeToString())
network = load(FOLDER / "ports.pb")
check(network["n"].out_ports == [] and all(
    type(o.port).__name__ == "OutPort" for o, m in zip(network.outputs.values(), message.outputs)
    if not m.probe), "an output named 'ports' leaves Lava's list of ports alone")


def ring(m):
    for name, target in (("a", "b"), ("b", "a")):
        m.processes.add(name=name, lava_class="lava.proc.sdn.process.Sigma", shape=[2])
    for name, target in (("a", "b"), ("b", "a")):
        m.connections.add(source=name, source_port="s_out", target=target, target_port="a_in")


refused("feed each other in the same step", ring)

# Random damage: a FileError or a network, nothing else, in bounded memory.
random = np.random.default_rng(1)
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
outcomes = {}
for source in (good, stock):
    whole = bytearray(source.read_bytes())
    for _ in range(400):
        damaged = bytearray(whole)
        for _ in range(int(random.integers(1, 6))):
            damaged[int(random.integers(min(len(damaged), 3000)))] = int(random.integers(256))
        (FOLDER / "bad.pb").write_bytes(damaged)
        try:
            load(FOLDER / "bad.pb")
            outcome = "loaded"
        except FileError:
            outcome = "refused"
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
check(outcomes["refused"] > 300, f"800 damaged files: {outcomes}")

ran = subprocess.run([sys.executable, "-m", "dendrolith_lava", good], capture_output=True, text=True,
                     env=dict(os.environ, PYTHONPATH=PACKAGE))
check(ran.returncode == 0 and "n: Population [2]" in ran.stdout and "1 steps behind" in ran.stdout,
      "python -m dendrolith_lava prints processes and outputs, without Lava")
program = FOLDER / "shapes.dlp"
dendrolith("compile", lif / "shapes_lif.nir", "--target", "loihi1", "--calibrate", lif / "calib_x.npy",
        "--tuning", "{solver: packed}", "-o", program)
dendrolith("export", program, "--format", "lava", "-o", FOLDER / "program.pb")
ran = subprocess.run([sys.executable, "-m", "dendrolith_lava", FOLDER / "program.pb"],
                     capture_output=True, text=True, env=dict(os.environ, PYTHONPATH=PACKAGE))
check("loihi1 core 0: lif1 neurons 0 to 127" in ran.stdout, "and the mapping of a program")
(FOLDER / "bad.pb").write_bytes(b"\xff")
ran = subprocess.run([sys.executable, "-m", "dendrolith_lava", FOLDER / "bad.pb"],
                     capture_output=True, text=True, env=dict(os.environ, PYTHONPATH=PACKAGE))
check(ran.returncode == 1 and ran.stderr.startswith("error: ") and ran.stderr.count("\n") == 1,
      "a bad file: one line, exit status 1")
check(read(good).outputs[0].latency == 1, "the latency of an output")

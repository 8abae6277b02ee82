# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of Lava processes for the tests: written as .lava.pb, run in the
engines, compared element by element and step by step."""
import importlib
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "e2e"))
from support import FOLDER, DENDROLITH, ROOT, check, np  # noqa: E402

try:
    import google.protobuf  # noqa: F401
except ImportError:
    print("skipped: python3-protobuf is not installed")
    sys.exit(77)
subprocess.run(["protoc", f"--python_out={FOLDER}", "-I", str(ROOT),
                str(ROOT / "compiler/lava/lava.proto")], check=True)
sys.path.insert(0, str(FOLDER))
pb = importlib.import_module("compiler.lava.lava_pb2")

MODULES = dict(LIF="lif", LIFReset="lif", TernaryLIF="lif", ATRLIF="atrlif", RF="rf",
               RF_IZ="rf_iz", Delta="sdn", Sigma="sdn", SigmaDelta="sdn",
               GradedVec="graded", GradedReluVec="graded", ProdNeuron="prodneuron",
               Dense="dense", DelayDense="dense", Sparse="sparse",
               DelaySparse="sparse", Conv="conv")
SYNAPSES = ("Dense", "DelayDense", "Sparse", "DelaySparse", "Conv")
ENGINES = ("reference", "functional", "cycle")


def tensor(value, sparse=False):
    value = np.ascontiguousarray(value)
    out = pb.Tensor(dtype=value.dtype.str[1:], dims=value.shape)
    if sparse:
        rows, columns = np.nonzero(value)
        counts = np.bincount(rows, minlength=len(value))
        out.csr.indptr = np.concatenate([[0], np.cumsum(counts)]).astype("<i8").tobytes()
        out.csr.indices = columns.astype("<i4").tobytes()
        out.csr.data = value[rows, columns].tobytes()
    else:
        out.dense = value.tobytes()
    return out


def put(slot, value, sparse=False):
    if isinstance(value, (bool, np.bool_)):
        slot.flag = bool(value)
    elif isinstance(value, (int, np.integer)):
        slot.integer = int(value)
    elif isinstance(value, (float, np.floating)):
        slot.real = float(value)
    elif isinstance(value, str):
        slot.text = value
    elif isinstance(value, tuple):
        slot.integers.values.extend(value)
    else:
        slot.tensor.CopyFrom(tensor(value, sparse))


class Net:
    def __init__(self, name):
        self.name = name
        self.processes, self.connections, self.inputs, self.outputs = {}, [], {}, {}

    def process(self, name, cls, shape=None, **kwargs):
        self.processes[name] = (cls, shape, kwargs)
        return self

    def connect(self, source, target, port=None, **change):
        def out(name):
            return "a_out" if self.processes[name][0] in SYNAPSES else "s_out"
        self.connections.append(dict(
            source=source, source_port=out(source), target=target,
            target_port=port or self.port(target), **change))
        return self

    def port(self, name):
        return "s_in" if self.processes[name][0] in SYNAPSES else "a_in"

    def input(self, name, target, low, high, port=None):
        self.inputs[name] = (target, port or self.port(target), (low, high))
        return self

    def message(self):
        """The pb.Model; every neuron is an output called <name>.out."""
        model = pb.Model(schema_version=1, producer="tests", name=self.name)
        model.run.tag = "fixed_pt"
        for name, (cls, shape, kwargs) in self.processes.items():
            process = model.processes.add(
                name=name, lava_class=f"lava.proc.{MODULES[cls]}.process.{cls}",
                shape=shape)
            for key, value in kwargs.items():
                if key == "sign_mode":
                    value = dict(EXC="EXCITATORY", INH="INHIBITORY").get(value, value)
                put(process.kwargs[key], value,
                    "Sparse" in cls and key in ("weights", "delays"))
            if cls not in SYNAPSES:
                model.outputs.add(name=name + ".out", source=name, source_port="s_out")
        for c in self.connections:
            model.connections.add(**c)
        for name, (target, port, (low, high)) in self.inputs.items():
            model.inputs.add(name=name, target=target, target_port=port, lowest=low,
                             highest=high, shape=self.port_shape(target))
        return model

    def port_shape(self, target):
        cls, shape, kwargs = self.processes[target]
        if cls == "Conv":
            return kwargs["input_shape"]
        return (np.shape(kwargs["weights"])[1],) if cls in SYNAPSES else shape

    def save(self):
        path = FOLDER / f"{self.name}.lava.pb"
        path.write_bytes(self.message().SerializeToString(deterministic=True))
        return path


def to_dend(x):
    """(..., W, H, C) as (..., C, H, W); others as they are. The first axis is time."""
    return x.transpose(0, 3, 2, 1) if x.ndim == 4 else x


def run(net, given, engine, states, *arguments):
    """Outputs by process and states by (process, state), in dend's order."""
    path, out = net.save(), FOLDER / f"{net.name}.{engine}"
    inputs = []
    for name, values in given.items():
        file = FOLDER / f"{net.name}.{name}.npy"
        np.save(file, to_dend(np.asarray(values)))
        inputs += ["--input", f"{name}={file}"]
    traces = ["--trace", ",".join(f"{n}:{s}" for n, s in states)] if states else []
    done = subprocess.run([DENDROLITH, "run", path, "--engine", engine, "--out", out,
                           *inputs, *traces, *arguments], capture_output=True, text=True)
    if done.returncode:
        check(False, f"{net.name} in {engine}: {done.stderr.strip()}")
    outs = {}
    if (out / "outputs.npz").exists():
        stored = np.load(out / "outputs.npz")
        outs = {k[:-len(".out")]: stored[k] for k in stored.files}
    else:
        (only,) = [n for n, p in net.processes.items() if p[0] not in SYNAPSES]
        outs = {only: np.load(out / "outputs.npy")}
    traces = dict(np.load(out / "traces.npz")) if states else {}
    result = json.loads((out / "result.json").read_text())
    return outs, {k: traces[f"{k[0]}:{k[1]}"] for k in states}, result


def same(what, found, expected):
    """Checks every element and names the first difference."""
    expected = to_dend(np.asarray(expected))
    found = np.asarray(found).reshape(expected.shape)
    where = np.argwhere(found != expected)
    if len(where):
        first = tuple(where[0])
        check(False, f"{what}: step {first[0] + 1}, element {first[1:]}: found "
                     f"{found[first]}, expected {expected[first]}")

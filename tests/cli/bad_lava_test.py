# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/lava/Lava.cpp, compiler/lava/Kwargs.cpp.
"""Bad networks of Lava processes (.lava.pb): exit code 1 and one error that names
the file and the process, port or keyword; bounded memory and time; damaged bytes
never crash."""
import pathlib
import re
import resource
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "compiler" / "lava"), str(HERE / "hostile")]
import limits  # noqa: E402
from lava_net import FOLDER, DENDROLITH, Net, np, pb, put, tensor  # noqa: E402

MEMORY, SECONDS = 2 << 30, 60
failed = 0


def good():
    net = Net("good").process("lif", "LIF", (3,), du=10, dv=20, vth=30)
    net.process("sigma", "SigmaDelta", (2,), vth=4, state_exp=6)
    net.process("conv", "Conv", weight=np.ones((2, 2, 2, 1)), input_shape=(4, 4, 1))
    net.process("image", "LIF", (3, 3, 2))
    net.process("w", "Dense", weights=np.array([[2, -4, 6], [8, 10, -12]]))
    net.process("late", "DelayDense", weights=np.ones((3, 2), "i4"),
                delays=np.ones((3, 2), "i4"), num_message_bits=8)
    net.process("few", "DelaySparse", weights=np.eye(3, dtype="i4"),
                delays=np.eye(3, dtype="i4"))
    net.connect("lif", "w").connect("w", "sigma").connect("sigma", "late")
    net.connect("late", "lif").connect("lif", "few").connect("few", "lif")
    net.connect("conv", "image")
    net.input("x", "lif", 0, 1).input("pixels", "conv", 0, 1)
    return net.message()


bounded = limits.can_limit_memory(DENDROLITH)


def limit():
    if bounded:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def compiled(data):
    (FOLDER / "bad.lava.pb").write_bytes(data)
    return subprocess.run([DENDROLITH, "compile", FOLDER / "bad.lava.pb", "--emit", "stats"],
                          capture_output=True, text=True, timeout=SECONDS,
                          preexec_fn=limit)


def wrong(title, done, *patterns):
    global failed
    missing = [p for p in (r"bad\.lava\.pb: ", *patterns) if not re.search(p, done.stderr)]
    if done.returncode != 1 or done.stderr.count("error: ") != 1 or missing:
        failed += 1
        print(f"FAILED {title}: exit code {done.returncode}, no {missing} in "
              f"{done.stderr[:500]!r}")


def refused(title, change, *patterns):
    """`change` gets the message and a function that finds a process."""
    message = good()
    change(message, lambda name: next(p for p in message.processes if p.name == name))
    wrong(title, compiled(message.SerializeToString()), *patterns)


def keyword(process, key, value, *patterns):
    def change(_, find):
        slot = find(process).kwargs[key]
        slot.Clear()
        if isinstance(value, pb.Tensor):
            slot.tensor.CopyFrom(value)
        elif value is not None:
            put(slot, value, process == "few" and isinstance(value, np.ndarray))
    refused(f"{process}.{key} = {str(value)[:60]!r}", change,
            f"process '{process}'", f"keyword '{key}'", *patterns)


assert compiled(good().SerializeToString()).returncode == 0, "the good one is refused"

# Keywords: kinds, ranges, unknown ones.
keyword("lif", "du", 0.5, "expected integers", "found 0.5")
keyword("lif", "du", 4096, "expected -1 to 4095", "found 4096")
keyword("lif", "dv", -1, "expected 0 to 4096")
keyword("lif", "du", np.array([1.5, 2, 3]), "a tensor of reals")
keyword("lif", "du", np.array([1, 2]), "1 or 3 integers", r"a tensor of i8 \(2,\)")
keyword("lif", "vth", "ten", "a number or tensor", "'ten'")
keyword("lif", "vth", None, "found nothing")
keyword("lif", "vth", 1 << 40, "found 1099511627776")
keyword("lif", "bias_exp", 32, "expected -31 to 31")
keyword("lif", "refractory_period", 3, "expected one of", "bias_mant")
keyword("image", "u", 1 << 31, "found 2147483648")
keyword("sigma", "act_mode", "TANH", "UNIT, RELU", "'TANH'")
keyword("sigma", "act_mode", 7, "0 to 1")
keyword("sigma", "vth", float("nan"), "a finite number")
keyword("sigma", "vth", 1e12, "found 1000000000000")
keyword("sigma", "t_interval", 2, "0 to 0", "found 2")
keyword("sigma", "state_exp", 40, "0 to 15")
keyword("w", "num_weight_bits", 9, "1 to 8")
keyword("w", "weight_exp", -40, "-31 to 31")
keyword("w", "sign_mode", "BOTH", "MIXED", "'BOTH'")
keyword("w", "weights", 3, "a tensor", "found 3")
keyword("w", "weights", np.ones(6), "two dims", r"found \(6,\)")
keyword("w", "weights", np.array([[1, np.inf, 2], [3, 4, 5]]), "finite")
keyword("w", "weights", np.array([[1, 1 << 40, 2], [3, 4, 5]]), "32 bits")
keyword("late", "delays", 64, "0 to 63", "found 64")
keyword("late", "delays", np.full((3, 2), 64), "0 to 63 steps", "found 64")
keyword("late", "delays", np.full((3, 2), -1), "found -1")
keyword("late", "delays", np.full((3, 2), 0.5), "tensor of reals")
keyword("late", "delays", np.ones((2, 3), "i4"), r"\(3, 2\)", r"found \(2, 3\)")
keyword("late", "max_delay", -1, "0 to 63")
keyword("few", "delays", np.eye(3, dtype="i4") * 70, "0 to 63 steps", "found 70")
keyword("conv", "groups", 2, "a divisor")
keyword("conv", "weight", np.ones((2, 5, 5, 1)), "within the padded input")
keyword("conv", "weight", np.ones((2, 2, 2, 3)), "1 input channels")
refused("a large convolution", lambda m, f: (
    f("conv").kwargs["input_shape"].Clear(),
    put(f("conv").kwargs["input_shape"], (1 << 19, 1 << 14, 1))), "'conv'", "at most 268435456 synapses")
keyword("conv", "stride", 0, "1 to 127")
keyword("conv", "padding", -1, "0 to 127")
keyword("conv", "input_shape", (4, 4), "3 integers", "a tuple of 2")
refused("ATRLIF with 0.3", lambda m, f: (
    setattr(f("image"), "lava_class", "lava.proc.atrlif.process.ATRLIF"),
    put(f("image").kwargs["delta_i"], 0.3)),
    "keyword 'delta_i'", "not bit-exact", "i = 184320")
for period in (0, 1e-320):
    refused(f"RF with period {period}", lambda m, f: (
        setattr(f("image"), "lava_class", "lava.proc.rf.process.RF"),
        put(f("image").kwargs["period"], period),
        put(f("image").kwargs["alpha"], 0.1),
        setattr(m.connections[-1], "target_port", "a_real_in")),
        "'image'", "keyword 'period'", "finite frequency", f"found {period}\n")
refused("a kernel of 17 bits", lambda m, f: f("conv").kwargs["weight"].tensor.CopyFrom(
    tensor(np.full((2, 2, 2, 1), 70001))), "process 'conv'", "weight 70001")
refused("no delays", lambda m, f: f("late").kwargs.pop("delays"), "'late'", "no keyword 'delays'")

# Tensors whose sizes, columns or types do not agree.
huge = pb.Tensor(dtype="i1", dims=[1 << 20, 1 << 20], dense=b"\1" * 6)
keyword("w", "weights", huge, r"shape \(1048576, 1048576\)")
keyword("w", "weights", pb.Tensor(dtype="i1", dims=[1 << 63, 4], dense=b""), "elements")
keyword("w", "weights", pb.Tensor(dtype="i1", dims=[2, 3], dense=b"\1" * 5), "has 5 bytes")
keyword("w", "weights", pb.Tensor(dtype="i1", dims=[0, 3]), "1 to")
keyword("w", "weights", pb.Tensor(dtype="u8", dims=[2, 3]), "dtype 'u8'", "i1, i2")


def sparse(**change):
    out = tensor(np.eye(3, dtype="i4"), True)
    for key, value in change.items():
        setattr(out.csr, key, value)
    return out


keyword("few", "weights", sparse(indptr=b""), "indptr has 0 bytes")
keyword("few", "weights", sparse(indptr=np.array([0, 2, 1, 3]).tobytes()), "row 1")
keyword("few", "weights", sparse(indptr=np.array([0, 1, 2, 9]).tobytes()), "0 to 9")
keyword("few", "weights", sparse(indptr=np.array([-3, 1, 2, 3]).tobytes()), "from -3")
keyword("few", "weights", sparse(indices=np.array([0, 1, 7], "i4").tobytes()), "column 7")
keyword("few", "weights", sparse(indices=np.array([0, -1, 2], "i4").tobytes()), "column -1")
keyword("few", "weights", sparse(data=b"\1\0\0\0"), "indices has 12 bytes")

# References, names, shapes.
refused("schema", lambda m, f: setattr(m, "schema_version", 2), "version 2")
refused("floating_pt", lambda m, f: setattr(m.run, "tag", "floating_pt"), "'floating_pt'")
refused("unknown class", lambda m, f: setattr(f("lif"), "lava_class", "os.system"),
        "'lif'", "'os.system'", "lava.proc.lif.process.LIF")
refused("two of a name", lambda m, f: setattr(f("lif"), "name", "sigma"), "'sigma'", "taken")
refused("no name", lambda m, f: setattr(f("lif"), "name", ""), "without a name")
refused("output called as a process", lambda m, f: setattr(m.outputs[0], "name", "w"),
        "output 'w'", "taken")
refused("control characters", lambda m, f: setattr(f("lif"), "name", "a\x1b[2J"),
        "Process.name", r"'a\?\[2J' with control characters")
refused("an endless text", lambda m, f: setattr(m.run, "tag", "t" * 5000), "Run.tag",
        "at most 4096 bytes", "found 5000 bytes")
refused("no shape", lambda m, f: f("lif").ClearField("shape"), "'lif'", "0 dims")
refused("huge shape", lambda m, f: f("lif").shape.__setitem__(0, 1 << 40), "'lif'", "elements")
refused("many neurons", lambda m, f: f("lif").shape.__setitem__(0, 1 << 25), "33554432 neurons")
refused("synapse with a shape", lambda m, f: f("w").shape.append(3), "'w'", "no shape")
refused("no such source", lambda m, f: setattr(m.connections[0], "source", "nobody"),
        r"connection nobody.s_out -> w.s_in", "no process 'nobody'")
refused("no such port", lambda m, f: setattr(m.connections[0], "target_port", "a_in"),
        "no input port 'a_in', expected s_in")
refused("no such output", lambda m, f: setattr(m.connections[0], "source_port", "u"),
        "no output port 'u', expected s_out")
refused("shapes differ", lambda m, f: setattr(m.connections[0], "target", "late"),
        r"sends \(3,\), the port takes \(2,\)")
refused("synapse to synapse", lambda m, f: (
    setattr(m.connections[0], "source", "late"),
    setattr(m.connections[0], "source_port", "a_out")), "synapses must end at neurons")
refused("bad transpose", lambda m, f: m.connections[0].transpose.extend([1]), "transpose 1")
refused("bad reshape", lambda m, f: m.connections[0].reshape.extend([2, 2]), r"reshape \(3,\) to \(2, 2\)")
refused("input of another shape", lambda m, f: m.inputs[0].shape.append(2), "input 'x'", r"\(3, 2\)")
refused("input range", lambda m, f: setattr(m.inputs[0], "lowest", 1), "input 'x'", "1 to 1")
refused("wide input", lambda m, f: setattr(m.inputs[0], "highest", 1 << 40), "32-bit")
refused("no inputs", lambda m, f: m.ClearField("inputs"), "no inputs")
refused("no outputs", lambda m, f: m.ClearField("outputs"), "no outputs")
refused("output of a synapse", lambda m, f: setattr(m.outputs[0], "source", "w"), "no neuron")
refused("two senders, read as s != 0", lambda m, f: m.connections.add(
    source="lif", source_port="s_out", target="w", target_port="s_in"), "'w' has 2 senders")

# Bytes.
wrong("empty", compiled(b""), "schema version 0")
wrong("text", compiled(b"dend.network @x {}"), "damaged or other bytes")
deep = pb.Operation()
for _ in range(60):
    deep = pb.Operation(region=[deep])
nested = good()
nested.neurons.add().body.append(deep)
wrong("deep nesting", compiled(nested.SerializeToString()), "damaged or other bytes")
wrong("five million processes", compiled(b"\x2a\x00" * 5_000_000), "more messages")
many = good()
many.connections.extend([many.connections[0]] * 50_000)
compiled(many.SerializeToString())  # allowed, and must end

data = good().SerializeToString()
rng = np.random.default_rng(4)
for i in range(150):
    changed = bytearray(data)
    if i % 2:
        changed = changed[:rng.integers(len(changed))]
    for at in rng.integers(len(changed), size=rng.integers(1, 6)) if changed else ():
        changed[at] = rng.integers(256)
    done = compiled(bytes(changed))
    if done.returncode not in (0, 1) or (done.returncode and "error: " not in done.stderr):
        failed += 1
        print(f"FAILED damaged bytes {i}: exit code {done.returncode}: {done.stderr[:300]!r}")
print("FAILED" if failed else "ok: bad .lava.pb files give one error each")
sys.exit(failed != 0)

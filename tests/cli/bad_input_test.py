# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/driver/main.cpp, compiler/import/Import.cpp,
# runtime/session/ModelInputs.cpp.
"""Bad input through the command line: exit code 1, one error that says the right
thing, nothing written; bad usage gives 2."""
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError:
    print("skipped: numpy or h5py is not installed")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
DENDROLITH, DENDROLITH_OPT = sys.argv[1:3]
LIF = ROOT / "models" / "lif"
MODEL, X, Y = (str(LIF / n) for n in ("shapes_lif.nir", "test_x.npy",
                                      "test_y.npy"))
TEMPORARY = tempfile.TemporaryDirectory()
W = pathlib.Path(TEMPORARY.name)  # where the bad files lie
OUT = W / "out"
CASES = []


def case(title, arguments, *patterns, code=1):
    """Registers a run whose one error matches every pattern, in any order."""
    CASES.append((title, [str(a) for a in arguments], patterns, code))


def broken_nir(name, change):
    """The shipped model with one thing changed."""
    path = W / name
    shutil.copy(MODEL, path)
    with h5py.File(path, "r+") as file:
        change(file["node/nodes"], file["node"])
    return path


def replace(group, key, value):
    del group[key]
    group.create_dataset(key, data=value)


def compiled(path):
    return ["compile", path, "--target", "loihi1", "-o", OUT]


def write(name, content):
    path = W / name
    path.write_bytes(content if isinstance(content, bytes)
                     else content.encode())
    return path


def save(name, array):
    np.save(W / name, array)
    return W / name


# Models.
data = pathlib.Path(MODEL).read_bytes()
case("missing model", compiled(W / "none.nir"), "none.nir")
case("truncated NIR", compiled(write("cut.nir", data[:5000])), "cut.nir")
case("not HDF5", compiled(write("zip.nir", b"PK\3\4" + b"x" * 100)), "zip.nir", "HDF5")
case("empty file", compiled(write("empty.nir", b"")), "empty.nir")
case("unknown extension", compiled(X), "npy", "expected")


def nan_weight(nodes, _):
    weight = nodes["fc1/weight"][()]
    weight[3, 4] = np.nan
    replace(nodes["fc1"], "weight", weight)


case("NaN weight", compiled(broken_nir("nan.nir", nan_weight)), "fc1", "(?i)nan|finite")


def inf_weight(nodes, _):
    weight = nodes["fc2/weight"][()]
    weight[0, 0] = np.inf
    replace(nodes["fc2"], "weight", weight)


case("infinite weight", compiled(broken_nir("inf.nir", inf_weight)), "fc2", "(?i)inf|finite")
case("missing dataset", compiled(broken_nir(
    "gone.nir", lambda n, _: n["lif1"].__delitem__("tau_mem"))), "lif1", "tau_mem")
case("unknown node type", compiled(broken_nir(
    "type.nir", lambda n, _: replace(n["lif1"], "type", "Resonator"))), "lif1", "Resonator")
case("wrong shape", compiled(broken_nir(
    "shape.nir", lambda n, _: replace(n["fc2"], "weight", np.ones((128, 7), "f4")))), "fc")
case("negative time constant", compiled(broken_nir(
    "tau.nir", lambda n, _: replace(n["lif1"], "tau_mem", -np.ones(128)))), "lif1", "tau_mem")
case("dangling edge", compiled(broken_nir(
    "edge.nir", lambda n, root: replace(
        root, "edges", np.array([["input", "nowhere"]], dtype=object)))), "nowhere")
case("unknown dataset", compiled(broken_nir(
    "extra.nir", lambda n, _: n["lif1"].create_dataset("wibble", data=1.0))), "lif1", "wibble")
case("dt larger than tau", [*compiled(MODEL), "--import", "dt=0.01"], "lif1", "dt")
for kind, key in {"nir": "reset-interval=3", "net": "preset=norse", "npz": "dt=1e-3", "mlir": "strict=yes"}.items():
    case(f"{key} of another kind of file", compiled(
        {"nir": MODEL, "net": ROOT / "models" / "netx" / "shapes.net",
         "npz": ROOT / "models" / "dendricl" / "tiny.npz",
         "mlir": ROOT / "tests" / "cli" / "Inputs" / "two.mlir"}[kind]) + ["--import", key], rf"\.{kind}: ",
         key.split("=")[0], "leave it out")
case("dt is not a number", [*compiled(MODEL), "--import", "dt=soon"], "dt", "soon")
network = (ROOT / "tests" / "cli" / "Inputs" / "two.mlir").read_text()
case("zero-delay cycle", compiled(write("cycle.mlir", network.replace("delay 1", "delay 0"))),
     "a", "b", "delay")
case("syntax error", compiled(write("syntax.mlir", network.replace("dend.clock", "dend.clok"))),
     r"syntax\.mlir:\d+:\d+", "clok")
case("dendrites on a fixed-function chip", compiled(ROOT / "models" / "mmdend" / "mm_shapes.mlir"),
     "L0", "more than leaks", "programmable")
case("unbound constant", compiled(write("extern.mlir", network.replace(
    "@theta : tensor<f64> = dense<1.0> : tensor<f64>", '@theta : tensor<f64> extern "th"'))),
     "theta", "bind")
case("programmable neuron", [*compiled(write("body.mlir", network.replace(
    "dend.compartment %v drive %I keep %keep", "dend.mul %v, %keep").replace(
        "(f64, f64, f64) -> f64", "(f64, f64) -> f64"))),], "more than leaks", "programmable")

# Damaged bytecode: whatever its reader does, one error (or, if the damage hits
# nothing that matters, none).
subprocess.run([DENDROLITH_OPT, ROOT / "tests" / "cli" / "Inputs" / "two.mlir",
                "--emit-bytecode", "-o", W / "two.mlirbc"], check=True)
bytecode = (W / "two.mlirbc").read_bytes()
case("truncated bytecode", compiled(write("cut.mlirbc", bytecode[:len(bytecode) // 2])),
     "cut")
for at in range(20, len(bytecode), max(1, len(bytecode) // 40)):
    changed = bytearray(bytecode)
    changed[at] ^= 0x55
    path = write(f"damaged{at}.mlirbc", bytes(changed))
    done = subprocess.run([DENDROLITH, *map(str, compiled(path))], capture_output=True,
                          text=True, timeout=120)
    OUT.unlink(missing_ok=True)
    if done.returncode not in (0, 1):
        print(f"FAILED damaged bytecode at {at}: exit code {done.returncode}")
        sys.exit(1)

# Inputs.
run = ["run", MODEL, "--target", "loihi1", "--out", OUT, "--input"]
x = np.load(X)[:4]
case("missing input", [*run, W / "none.npy"], "none.npy")
case("wrong width", [*run, save("wide.npy", np.zeros((2, 32, 33)))],
     r"\(steps, 32\)", r"\(2, 32, 33\)")
case("no steps", [*run, save("short.npy", np.zeros((2, 0, 32)))], "short.npy")
case("NaN input", [*run, save("nan.npy", np.full((4, 32), np.nan))], "(?i)nan|finite")
case("real values on binary spikes", [*run, save("real.npy", x * 0.5)],
     "input", "loihi1", "binary|events", r"0\.5")
case("pickled objects", [*run, save("object.npy", np.array([{}], dtype=object))],
     "object.npy")
case("truncated array", [*run, write("cut.npy", pathlib.Path(X).read_bytes()[:9999])], "cut.npy")
case("labels of the wrong length", [*run, X, "--labels", save("y.npy", np.arange(3))],
     "500", r"3")
case("unknown trace", [*run, X, "--trace", "lif9"], "lif9", "lif1")
case("unknown state", [*run, X, "--trace", "lif1:w"], "lif1", "w")
small = save("small.npy", x)
case("unknown timing", [*run, small, "--engine", "cycle", "--timing", "tomorrow"],
     "tomorrow", "davies2018")
case("folder is a file", ["run", MODEL, "--input", small, "--out", write("file", "x")], "file")

# Chips, prices, images, results.
chip = (ROOT / "targets" / "tiny" / "chip.yaml").read_text()
case("does not fit", ["compile", MODEL, "--target", "tiny", "-o", OUT],
     "lif", "tiny", r"\d+", "override-limit|another target")
case("unknown target", ["compile", MODEL, "--target", "loihi9", "-o", OUT], "loihi9", "loihi1")
case("typo in a chip", ["compile", MODEL, "--target", write(
    "typo.yaml", chip.replace("compartments_per_core", "compartment_per_core")), "-o", OUT],
     r"typo\.yaml:\d+:\d+", "compartment_per_core")
case("not YAML", ["compile", MODEL, "--target", write("not.yaml", "{["), "-o", OUT],
     r"not\.yaml:\d+:\d+")
costs = (ROOT / "targets" / "loihi1" / "costs-davies2018.yaml").read_text()
priced = ["run", MODEL, "--target", "loihi1", "--input", small, "--out", OUT, "--costs"]
case("negative cost", [*priced, write("negative.yaml", costs.replace("value: 81", "value: -81", 1))],
     r"negative\.yaml:\d+:\d+")
case("missing cost", [*priced, write("missing.yaml", re.sub(r"(?m)^ *within_tile:.*\n", "", costs, 1))],
     r"missing\.yaml", "within_tile")
subprocess.run([DENDROLITH, "compile", MODEL, "--target", "loihi1", "-o", W / "p.dlp"],
               check=True, capture_output=True)
image = (W / "p.dlp").read_bytes()
flipped = bytearray(image)
flipped[len(image) // 2] ^= 4
for name, content in (("cut.dlp", image[:-100]), ("flip.dlp", bytes(flipped)),
                      ("none.dlp", b"hello")):
    case(name, ["run", write(name, content), "--input", small, "--out", OUT], name)
case("image on another target", ["run", W / "p.dlp", "--target", "tiny", "--input", small],
     "loihi1", "compile")
case("image on the float engine", ["run", W / "p.dlp", "--engine", "float", "--input", small],
     "model")
(W / "result").mkdir()
write("result/result.json", '{"counts": ')
case("broken result", ["report", W / "result"], r"result\.json:\d+:\d+|result\.json")
case("no result", ["report", W / "nothing"], "nothing")
subprocess.run([DENDROLITH, "run", MODEL, "--target", "loihi1", "--input", small, "--out",
                W / "good"], check=True, capture_output=True)
result = json.loads((W / "good" / "result.json").read_text())
result["counts"]["total"]["messages"] = 2**70
(W / "huge").mkdir()
write("huge/result.json", json.dumps(result))
case("counter beyond 2^63", ["report", W / "huge"], "messages")
result = json.loads((W / "good" / "result.json").read_text())
result["spike_values"]["lif1"]["many"] = 3
(W / "values").mkdir()
write("values/result.json", json.dumps(result))
case("spike values that are none", ["report", W / "values"], "spike_values", "many")

# Programs of neurons.
NEURON = ROOT / "models" / "neurons" / "lif.mlir"
text = NEURON.read_text()


def on(target, path=NEURON):
    return ["compile", path, "--target", target, "-o", OUT]


case("too many registers", on("loihi2,microcode.registers=1"),
     "'lif' needs 2 registers", "has 1", "override-limit registers")
case("program too long", on("loihi2,microcode.program_words=3"),
     "'lif' needs 6 program words", "has 3")
case("state beyond bytes per neuron", on("loihi2,microcode.state_bytes=2"),
     "'lif' needs 3 bytes of state per neuron", "has 2")
case("one neuron too large for a core", on("loihi2,limits.core_memory_bytes=100"),
     "alone needs", "bytes of core memory", "100")
case("value wider than a word", on("loihi2,microcode.word_bits=16"), "24 bits", "words of 16")
case("no programs on the target", on("loihi1"), "fixed-function", "'lif'", "loihi2")
case("no such number of a chip", on("loihi2,mesh.tiles=3"), "mesh.tiles")
case("not a number of a chip", on("loihi2,mesh.tiles_x=many"), "many")
case("payload beyond the target", on("loihi2,spikes.payload_bits=4", write(
    "wide.mlir", text.replace("!dend.spike<binary>) {", "!dend.spike<int, -99, 99>) {")
    .replace("emit(%s : i1)", "emit(%v2 : !dend.fx<24, 0>)"))),
     "output 's'", "-99 to 99", "4 bits")
case("table with a step that is no power of two", on("loihi2", write(
    "table.mlir", text.replace("    %s, %v2 =", '    %k = dend.literal dense<[1, 2, 3]> : tensor<3xi64> as tensor<3x!dend.fx<24, 0>>\n    %t = dend.table %v1 in %k from 0.0 step 3.0 : (!dend.fx<24, 0>, tensor<3x!dend.fx<24, 0>>) -> !dend.fx<24, 0>\n    %s, %v2 ='))),
     r"table\.mlir:\d+:\d+", "power of two")
case("real values in a program", on("loihi2", write(
    "real.mlir", text.replace("    %s, %v2 =", '    %r = dend.to_real %v1 : (!dend.fx<24, 0>) -> f64\n    %c = dend.cmp gt %r, %r : (f64, f64) -> i1\n    %s, %v2 =')
    .replace("emit(%s : i1)", "emit(%c : i1)"))), r"real\.mlir:\d+:\d+", "real|float")
case("zero-delay cycle over clocks", on("loihi2", write(
    "clocks.mlir", text.replace('  dend.output @v', '  dend.project @n -> @n["I"] #dend.diagonal delay 0\n  dend.output @v'))),
     "cycle", "n -> n")
subprocess.run([DENDROLITH, "compile", NEURON, "--target", "loihi2", "-o", W / "n.dlp"],
               check=True, capture_output=True)
program = bytearray((W / "n.dlp").read_bytes())
# The message behind the check sum, with an operation that does not exist.
head = program.index(b"\n", 11) + 1
at = program.index(bytes([3, 24, 0, 0, 0, 0]), head)  # mul, 24 bits
program[at] = 77
import hashlib
program[11:11 + 64] = hashlib.sha256(bytes(program[head:])).hexdigest().encode()
binary = save("events.npy", np.zeros((3, 4)))
case("image with a corrupt program", ["run", write("corrupt.dlp", bytes(program)), "--input",
                                      binary, "--out", OUT],
     r"corrupt\.dlp", "core 0, program 0", "instruction 0", "77")
case("steps that are no whole ticks", ["run", write(
    "micro.mlir", text.replace("  dend.input @x on @step", "  dend.clock @m divides @step by 4\n  dend.input @x on @m")),
    "--target", "loihi2", "--input", binary, "--out", OUT], "multiple of 4 steps", "3")

# Forms of spikes, spread, metric.
integers = write("integers.mlir", text.replace(
    "!dend.spike<binary>) {", "!dend.spike<int, -9, 9>) {").replace(
        "emit(%s : i1)", "emit(%v2 : !dend.fx<24, 0>)"))
case("graded spikes where there are none", [*on("loihi2-binary", integers), "--spikes", "graded"],
     "output 's' of 'n'", "-9 to 9", "loihi2-binary", "unary")
case("unary spikes without gating",
     [*on("loihi2,scheduling.group_gating=false", integers), "--spikes", "unary"],
     "output 's' of 'n'", "9 steps", "cannot gate", "loihi2")
case("unknown form of spikes", [*on("loihi2", integers), "--spikes", "ternary"], "ternary", code=2)
case("one input bit", ["run", MODEL, "--input", small, "--input-bits", "1"], "2 to 24", "found '1'")
case("integers with a sign and a host of binary spikes", on("loihi2-binary", write(
    "signed.mlir", text.replace("!dend.spike<binary>\n", "!dend.spike<int, -999, 3>\n", 1))),
     "'x' is -999 to 3", "host of target 'loihi2-binary'", "no payloads", "magnitudes up to 255")
case("integers beyond unit spikes", on("loihi2,host.payload_bits=4", write(
    "large.mlir", text.replace("!dend.spike<binary>\n", "!dend.spike<int, 0, 999>\n", 1))),
     "'x' is 0 to 999", "payloads of 4 bits, signed", "magnitudes up to 255")
case("more cores than the chip", [*on("loihi2"), "--cores", "129:"], "129", "loihi2", "128")
case("more cores than neurons", [*on("loihi2"), "--cores", "4:"], "4 cores", "3 neurons")
case("cores and a placement", [*on("loihi2"), "--cores", "2:", "--placement", small],
     "at least 2 cores", "small.npy")
case("cores beyond the chip", [*on("loihi2"), "--cores", ":129"], "at most 129", "loihi2", "128")
case("cores below the bound", ["compile", MODEL, "--cores", ":2", "-o", OUT, "--target",
                               "loihi1,limits.compartments_per_core=128"],
     "at most 2 cores", "fewer than 3", "266 neurons", "'lif1'")
case("no cores", [*on("loihi2"), "--cores", "0"], "--cores", "MIN:MAX", code=2)
case("a negative seed", [*on("loihi2"), "--tuning", "{map-seed: -1}"], "--tuning:1:12: map-seed")
case("a search without end", [*on("loihi2"), "--tuning", "{map-time: inf}"], "map-time", "'inf'")


def constrained(title, text, *patterns):
    rules = write(f"{title.replace(' ', '_')}.yaml", text)
    case(title, [*compiled(MODEL), "--map-constraints", rules], rules.name, *patterns)


constrained("contradicting constraints", "pin:\n  - {population: lif1, core: 3}\n"
            "  - {population: lif1, core: 4}\n", ":3:5:", "'lif1'", "core 4", "core 3 in line 2")
constrained("pin outside the chip", "pin: [{population: lif1, core: 128}]\n", ":1:", "127", "128")
constrained("forbidden cores leave too little", "forbid:\n" + "".join(
    f"  - {{tile: {t}}}\n" for t in range(32)), "leaves no core")
constrained("too little room for a pin", "pin: [{population: lif2, core: 9}]\n"
            "reserve: [{in_axons: 4000, core: 9}]\n", "core 9", "in-axons", "'lif2' to core 9 in line 1")
constrained("a reserve that no neuron fits beside", "reserve: [{synapse_memory_words: 16300}]\n",
            "'read': neuron 2 alone needs 126", "84", "a_reserve_that_no_neuron_fits_beside.yaml' reserves")
constrained("a reserve of everything", "reserve: [{in_axons: 4096}]\n",
            ":1:11: reserve of 4096 in-axons leaves too little: 128 cores have 0 in-axons")
constrained("pin of nobody", "pin: [{population: lif9, core: 1}]\n", "lif9")
case("no constraints file", [*compiled(MODEL), "--map-constraints", W / "none.yaml"], "none.yaml")
case("mapping of another network", [*compiled(MODEL), "--map-from", write(
    "other.yaml", "- {population: away, first: 0, count: 2, core: 1}\n")],
     "other.yaml", "'away'", "'lif1'")
case("mapping of another target", [*compiled(MODEL), "--map-from", W / "n.dlp"],
     "n.dlp", "loihi1")
for moves in ("0", "-3"):
    case(f"{moves} moves", [*compiled(MODEL), "--map-from", W / "n.dlp", "--tuning",
                                 f"{{max-moves: {moves}}}"], "max-moves")
for rounds in ("0", "-1", "many"):
    case(f"{rounds} rounds", [*compiled(MODEL), "--tuning", f"{{map-verify: {rounds}}}"],
         "map-verify")
case("rounds without samples", [*compiled(MODEL), "--tuning", "{map-verify: 1}"], "map-verify",
     "--calibrate")
case("rounds without a search", [*compiled(MODEL), "--tuning", "{map-verify: 1, solver: packed}",
                                 "--calibrate", LIF / "calib_x.npy"],
     "map-verify", "'packed'", "solver: default")
case("rounds without a mapping", ["compile", MODEL, "--tuning", "{map-verify: 1}", "--emit", "dend"],
     "map-verify", "--emit dend")
case("rounds of a compiled program", ["run", W / "n.dlp", "--tuning", "{map-verify: 1}", "--input", binary],
     "compiled already, without map-verify")
case("moves from nowhere", [*compiled(MODEL), "--tuning", "{max-moves: 3}"], "--map-from", code=2)
case("form of a compiled program", ["run", W / "n.dlp", "--spikes", "unary", "--input", binary],
     "n.dlp", "compiled already", "--spikes")
judged = ["run", MODEL, "--target", "loihi1", "--out", OUT, "--input", small, "--labels",
          save("four.npy", np.arange(4)), "--metric"]
for bad_metric in ("recall", "accuracy:last", "accuracy:last=0", "accuracy:median"):
    case(f"metric {bad_metric}", [*judged, bad_metric], bad_metric, "mean", "last=N")
case("more ticks than there are", [*judged, "accuracy:last=33"], "last 33 ticks", "has 32")
case("metric without labels", [*run, small, "--metric", "accuracy"], "--labels")
tasks = write("tasks.mlir", text.replace("as !dend.spike<binary>\n", "as !dend.spike<binary>"
                                        " query 3 masks 2\n", 1))
for title, rows, found in (("no query", [0, 0, 0], "none"), ("two queries", [1, 0, 1], "a second"),
                           ("an early query", [0, 1, 0], "it at token 1")):
    context = np.zeros((2, 3, 4))
    context[0, -1, 3], context[1, :, 3] = 1, rows
    case(title, ["run", tasks, "--target", "loihi2", "--input", save(f"{title}.npy", context)],
         f"{title}.npy", "sample 1", "expected one query", found)
subprocess.run([DENDROLITH, "compile", tasks, "--target", "loihi2", "-o", W / "tasks.dlp"],
               check=True, capture_output=True)
case("two queries for an image", ["run", W / "tasks.dlp", "--input", W / "two queries.npy"],
     "two queries.npy", "sample 1", "token 2 after token 0")
regression = ["run", MODEL, "--target", "loihi1", "--input", small, "--metric", "r2", "--labels"]
case("answers of another width", [*regression, save("width.npy", np.zeros((4, 3)))],
     "width.npy", r"\(4, 10\)", r"\(4, 3\)")
case("one answer for many elements", [*regression, save("one.npy", np.zeros(4))],
     "one.npy", r"\(4, 10\)")
case("equal answers", [*regression, save("equal.npy", np.ones((4, 10)))], "r2", "equal")
case("NaN answers", [*regression, save("nans.npy", np.full((4, 10), np.nan))], "nans.npy", "finite")
case("unknown decode in a model", compiled(write("decode.mlir", network.replace(
    'dend.output @y = @b["s"]', 'dend.output @y = @b["s"] decode "last=-3"'))),
     r"decode\.mlir:\d+:\d+", "last=-3", "last=N")
case("conventions of a part", ["report", W / "good", "--conventions", "--by", "layer"],
     "--conventions", "--by", code=2)
case("another model beside an image", ["run", W / "p.dlp", "--compare", "float", "--model", NEURON,
                                       "--input", X], "lif.mlir", "p.dlp", "SHA-256")
case("a model beside a model", [*run, small, "--model", MODEL], "--model", "a model itself")
case("float beside an image", ["run", W / "p.dlp", "--compare", "float", "--input", X], "--model")
case("branches on fixed-function neurons",
     ["compile", ROOT / "models" / "mmdend" / "sparse.npz", "--target", "loihi1", "-o", OUT],
     "'L0'", "more than leaks", "programmable")
case("unknown table", ["report", W / "good", "--by", "horowitz"], "horowitz", code=2)
case("a model to explore without an axis", ["explore", MODEL, "--input", small], "--axis", code=2)
case("an axis without values", ["explore", MODEL, "--input", small, "--axis", "costs"],
     "--axis", "'costs'", code=2)
case("an axis that there is not", ["explore", MODEL, "--input", small, "--axis",
                                   "compile.spike=unary"], "--axis:", "compile.spike")

case("no command", [], code=2)
# A variable of a shell that is empty: the next word is no value.
case("a flag as the value of another", ["compile", MODEL, "--target", "loihi1", "-o", "--map-for=time"],
     "--out: expected a value, found the option '--map-for=time'", code=2)
case("nothing behind =", ["run", MODEL, "--input", X, "--html=", "--labels=y.npy"],
     "--html=: expected a value", code=2)
case("nothing behind -o=", ["compile", MODEL, "--target", "loihi1", "-o="], "-o=: expected a value", code=2)
case("unknown flag", ["run", MODEL, "--input", X, "--fast"], "fast", code=2)
case("unknown engine", ["run", MODEL, "--input", X, "--engine", "warp"], "warp", code=2)
case("no input", ["run", MODEL], "input", code=2)


def failures(title, arguments, patterns, code):
    before = {p for p in W.rglob("*")}
    done = subprocess.run([DENDROLITH, *arguments], capture_output=True, text=True,
                          timeout=60)
    if done.returncode != code:
        yield f"exit code {done.returncode}, expected {code}: {done.stderr}"
    if code == 1 and done.stderr.count("error: ") != 1:
        yield f"expected one error, found: {done.stderr!r}"
    for pattern in patterns:
        if not re.search(pattern, done.stderr + (done.stdout if code == 2 else "")):
            yield f"no {pattern!r} in: {done.stderr!r}"
    left = {p for p in W.rglob("*")} - before
    if left:
        yield f"left behind: {sorted(map(str, left))}"


bad = 0
for title, arguments, patterns, code in CASES:
    for failure in failures(title, arguments, patterns, code):
        print(f"FAILED {title}: {failure}")
        bad += 1
# No message repeats 20 kB that were typed, or moves a terminal's cursor.
for typed in ("x" * 20000, "xy " * 7000, "a\x1b[31mb"):
    for words in [[*run, MODEL, f"--{flag}", typed] for flag in ("tuning", "cores", "costs", "target", "out", "metric")] + [
            [command, typed] for command in ("man", "targets", "explore", "report", "check", "verify")]:
        told = subprocess.run([DENDROLITH, *map(str, words)], capture_output=True, timeout=60).stderr
        if len(told) > 2100 or b"\x1b" in told or not told:
            print(f"FAILED {words[-2]} of {len(typed)} bytes: {len(told)} bytes of message: {told[:200]}")
            bad += 1
print(f"{len(CASES)} cases, {bad} failures")
sys.exit(1 if bad else 0)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/dendrolith/words.py, runtime/options/ModelOptions.cpp and compiler/pipelines/Diagnostics.cpp.
"""What is refused is said in the words of the door that was taken: the command names
flags, Python keywords, a study keys. No text names an operation of the compiler that the
user never wrote, a folder of ours, an exception of a library or a number of 100 digits."""
import re
import subprocess
import sys

from support import FOLDER, DENDROLITH, ROOT, SCRATCH, check, finish, lif, need, np, dl

need("h5py")
sys.path.insert(0, str(ROOT / "tests" / "equality"))
from broken import write_broken  # noqa: E402

from dendrolith.words import said  # noqa: E402

NEVER = {
    "an exception of a library": r"json\.exception|std::|terminate called|basic_string|"
                                 r"vector::|bad_alloc|CLI::|fmt::|stod|stoi",
    "a symbol of the compiler": r"'@",
    "a folder of ours": r"/dendrolith-\w{6}/|/r\w{8}/|" + re.escape(str(SCRATCH)),
    "a long number": r"\d{100}",
    "the other door": r"[Ii]n Python|on the command line",
    "a pass": r"--dend-|--chip-|\bPassManager\b",
}
OPERATION = r"\b(dend|chip|builtin|arith|func)\.(?!yaml)[a-z_]+"
FLAG = r"(?<![\w-])--[a-z]"

write_broken(FOLDER, ROOT)
BAD = FOLDER / "bad"
path, x, _ = lif()
np.save(FOLDER / "x.npy", x)
np.save(FOLDER / "real.npy", np.full((2, 32, 32), 0.5))
BINARY = {"calibrate": x[:8]}


def held(title, text, *more, own=False):
    """No text has what none may have; `own`: the file is in the dialect itself."""
    patterns = {**NEVER, **dict(more)} if own else {"an operation": OPERATION, **NEVER,
                                                    **dict(more)}
    for what, pattern in patterns.items():
        found = re.search(pattern, text)
        check(not found, f"{title}: has {what}, {found and found.group(0)!r}, in {text!r}")


def by_command(title, *arguments, own=False):
    done = subprocess.run([DENDROLITH, *map(str, arguments)], capture_output=True, text=True,
                          timeout=300)
    check(done.returncode in (1, 2), f"{title}: {done.returncode}")
    held(f"{title}, command", done.stdout + done.stderr, own=own)


def by_python(title, work, own=False):
    try:
        work()
        check(False, f"{title}: Python takes it")
        return ""
    except dl.DendrolithError as error:
        held(f"{title}, Python", f"{error} {error.hint or ''}", ("a flag", FLAG), own=own)
        return str(error)


# Files.
for file in sorted(BAD.iterdir()):
    if file.suffix in (".nir", ".mlir", ".npz", ".net", ".pb"):
        if file.name in ("cycle.mlir", "window.npz"):
            continue  # a network, for some chip
        own = file.suffix == ".mlir"
        by_command(file.name, "compile", file, "--target", "loihi1", own=own)
        by_command(file.name, "check", file, "--target", "loihi1", own=own)
        by_python(file.name, lambda file=file: dl.compile(dl.load(file), "loihi1"), own)
        report = dl.check(dl.load(file), "loihi1")
        check(not report.ok, f"{file.name}: nothing found")
        held(f"{file.name}, check in Python", str(report), ("a flag", FLAG), own=own)
for file in sorted(BAD.glob("*.npy")):
    if file.stem not in ("pairs", "steps", "equal", "three", "no_query"):
        by_command(file.name, "compile", path, "--calibrate", file, "--target", "loihi1")
        by_python(file.name, lambda file=file: dl.compile(str(path), "loihi1", calibrate=str(file)))

# Values of options, each by the command and by Python.
VALUES = {
    "target": "loihi9", "weight_bits": "many", "input_bits": "1", "state_bits": "0",
    "quantise": "most", "round": "down", "rewrite": "fold", "map_for": "luck", "cores": "129:",
    "override_limit": "luck", "map_constraints": str(BAD / "not.yaml"),
    "map_from": str(BAD / "hello.dlp"), "placement": str(BAD / "pinned.yaml"),
    "split_dendrite": "-3", "spikes": "ternary", "dt": "soon", "preset": "brian",
    "reset": "maybe", "time_unit": "years", "loop_delay": "-1", "solver": "luck",
    "steps": "9" * 400,
}
IMPORTED = {"dt", "preset", "reset", "time_unit", "loop_delay"}
TUNED = {"state_bits", "solver"}
for name, value in VALUES.items():
    flag = name.replace("_", "-")
    given = (["--import", f"{flag}={value}"] if name in IMPORTED else
             ["--tuning", f"{{{flag}: {value}}}"] if name in TUNED else [f"--{flag}={value}"])
    target = [] if name == "target" else ["--target", "loihi1"]
    by_command(name, "compile", path, *target, "--calibrate", FOLDER / "x.npy", *given)
    tuned = {"tuning": {name: value}} if name in TUNED else {name: value}
    by_python(name, lambda tuned=tuned: dl.compile(
        str(path), **{"target": "loihi1", **BINARY, **tuned}))
by_command("a chip's number", "compile", path, "--target", "loihi1,formats.weight_bits=" + "9" * 400)
by_python("a chip's number", lambda: dl.compile(
    str(path), "loihi1,formats.weight_bits=" + "9" * 400, **BINARY))

# What a chip cannot do: the remedy is the door's own.
subtracts = dl.from_layers([dl.Linear(np.eye(4)), dl.snntorch.Leaky(0.9)])
told = by_python("snnTorch's default", lambda: subtracts.compile("loihi1"))
check('reset_mechanism="zero"' in told, told)
check('reset_mechanism="zero"' in str(subtracts.check("loihi1")), str(subtracts.check("loihi1")))
soft = dl.from_layers([dl.Linear(np.eye(4)), dl.spikingjelly.LIFNode(2.0, v_reset=None)])
check("v_reset=0.0" in by_python("SpikingJelly's", lambda: soft.compile("loihi1")), "SpikingJelly")
own_terms = dl.from_layers([dl.Linear(np.eye(4)), dl.LIF(0.01)], dt=1e-3, reset="subtract")
check('reset="value"' in by_python("a LIF of ours", lambda: own_terms.compile("loihi1")), "LIF")
subtracts.write(FOLDER / "subtracts.nir")
done = subprocess.run([DENDROLITH, "compile", FOLDER / "subtracts.nir", "--target",
                       "loihi1"], capture_output=True, text=True)
check("--import reset=value" in done.stderr, done.stderr)
held("snnTorch's default, command", done.stderr)

# Samples that a run would refuse are refused before it, and by every door.
real = np.full((2, 32, 32), 0.5)
by_command("real samples", "compile", path, "--target", "loihi1", "--calibrate", FOLDER / "real.npy")
told = by_python("real samples", lambda: dl.compile(str(path), "loihi1", calibrate=real))
check("expected only 0 and 1" in told and "calibrate=" in told, told)
report = dl.check(str(path), "loihi1", calibrate=real)
check(not report.ok and any("expected only 0 and 1" in f.message for f in report.findings),
      str(report))
held("real samples, check", str(report), ("a flag", FLAG))
check(dl.check(str(path), "loihi2", calibrate=real).ok, "where integers go, reals are samples")

# Runs.
program = dl.compile(str(path), "loihi1", **BINARY)
for title, work in {
        "inputs": lambda: program.run(real), "engine": lambda: program.run(x, engine="warp"),
        "trace": lambda: program.run(x, trace="nobody"),
        "state": lambda: program.run(x, trace="lif1:w"),
        "metric": lambda: program.run(x, metric="recall"),
        "unjudged": lambda: program.run(x, metric="accuracy"),
        "timing": lambda: program.run(x, engine="cycle", timing="tomorrow"),
        "no timing": lambda: program.run(x, engine="float", timing="davies2018"),
        "costs": lambda: program.run(x, costs="free"),
        "verify": lambda: program.run(x, engine="float", verify=True),
        "timeline": lambda: program.run(x, timeline="t.json"),
        "labels": lambda: program.run(x, labels=np.array([1])),
        "layers": lambda: program.run(x, layers=True),
}.items():
    by_python(title, work)

# A study's rows name its keys.
(FOLDER / "study.yaml").write_text(f"""
name: words
models:
  - {{name: lif, model: {path}, input: x.npy, calibrate: x.npy}}
target: loihi1
vary: {{compile.cores: ['1:1', ':8']}}
""")
study = FOLDER / "study"
subprocess.run([DENDROLITH, "explore", FOLDER / "study.yaml", "-o", study], capture_output=True,
               timeout=300)
table = subprocess.run([DENDROLITH, "explore", study, "--format", "csv"],
                       capture_output=True, text=True)
reasons = table.stdout
check("compile." in reasons, f"a study refuses by key: {table.stderr} {reasons}")
held("a study", reasons, ("a flag", FLAG))

# The rule itself.
for text, wanted in {
        "give some with --calibrate": "give some with calibrate=",
        "use --override-limit max_delay, or": 'use override_limit="max_delay", or',
        "take --quantise search or auto": 'take quantise="search" or auto',
        "--cores: expected MIN:MAX": "cores: expected MIN:MAX",
        "--trace 'q': expected one": "trace='q': expected one",
        "check --import dt and --import time-unit": "check dt= and time_unit=",
        "give --import dt=0.0001, else": "give dt=0.0001, else",
        "--import reset=value takes": 'reset="value" takes',
        "solver: default of --tuning places": 'tuning={"solver": "default"} places',
        "a file 'my--steps.npy' stays": "a file 'my--steps.npy' stays",
        "the --input of the run": "the x= of the run",
        "compile with --input-bits 4": "compile with input_bits=4",
        "--import from: says how": "from_: says how",
        "give --import from=norse, from=sinabs or v-min=0.5": 'give from_="norse", from_="sinabs" or v_min=0.5',
        "net.nir: --import lif.1:reset: there is": 'net.nir: "lif.1:reset": there is',
        "give --import lif:reset=zero": 'give "lif:reset": "zero"',
        "give the model file, or --model FILE beside --compare float":
            'give the model file, or model= FILE beside compare="float"',
}.items():
    check(said(text) == wanted, f"{text!r}: {said(text)!r}")
finish()

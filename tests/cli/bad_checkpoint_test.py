# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/npz/mmdend/ReadCheckpoint.cpp, compiler/import/npz/common/Archive.cpp,
# compiler/import/npz/Npz.cpp, compiler/import/npz/common/MetaReader.cpp,
# compiler/import/npz/dendricl/Dendricl.cpp, compiler/import/npz/dendricl/Token.cpp.
"""Bad checkpoints (.npz): exit code 1 and one error that names the file and the
key, and says what was found."""
import pathlib
import re
import sys

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
from mmdend_checkpoints import checkpoint, save  # noqa: E402
from refusals import Refusals  # noqa: E402

TESTED = Refusals(sys.argv[1], save)
refused = TESTED.refused
GOOD = checkpoint(3, 5, [("turning modes", 3, 2, 6, 3), ("cable", 2, 4, 8, 4)])
LIF = {"W0": np.ones((4, 5)), "b0": np.zeros(4), "Wout": np.ones((2, 4)),
       "bout": np.zeros(2), "meta": {"neuron": "lif", "tau": 2.0, "layers": 1}}
CONTEXT = {"WA": np.full((6, 3), 0.2), "WB": np.ones((4, 5)), "bB": np.zeros(4),
           "WO": np.ones((4, 6)), "gA": np.array(1.0), "gB": np.array(1.0),
           "alpha": np.array(0.9), "gamma": np.array(0.1), "th1": np.array(1.0),
           "th2": np.array(0.5), "F1.weight": np.ones((7, 4)), "F1.bias": np.zeros(7),
           "F2.weight": np.ones((4, 7)), "F2.bias": np.zeros(4), "R.weight": np.ones((1, 4)),
           "R.bias": np.zeros(1), "meta": {"name": "no neuron is said"}}


def changed(key, value, base=GOOD):
    return {**base, key: value}


def at(key, index, value):
    array = np.array(GOOD[key], dtype=float)
    array[index] = value
    return changed(key, array)


def meta(base=GOOD, **entries):
    return {**base, "meta": {**base["meta"], **entries}}


def without(key, base=GOOD):
    return {k: v for k, v in base.items() if k != key}


# The two that everything below is made from are good.
for name, good in (("MMDEND", GOOD), ("LIF", LIF), ("DendriCL", CONTEXT),
                   ("what says nothing of the network",
                    meta(CONTEXT, seed=1, lr=1e-3, spike=1, ffx=2, price=0.0, decode="last=1")),
                   ("LIF with the other kind's keys", meta(LIF, U=4, f="relu", J=4, Vth=1.0))):
    TESTED.compiled(good).check_returncode()

for key in GOOD:
    # Without its first key a cable is taken for the other form.
    named = {"tau1": "lam_re1"}.get(key, key)
    refused(f"no {key}", without(key), f"'{named}'", "expected a member")
for key in LIF:
    refused(f"LIF without {key}", without(key, LIF), f"'{key}'", "expected a member")
for key, value in GOOD.items():
    if key == "meta":
        continue
    wrong = np.zeros(np.shape(value) + (2,))
    refused(f"wrong shape of {key}", changed(key, wrong), f"'{key}'", "expected",
            r"\(.*\)")
    refused(f"complex {key}", changed(key, np.asarray(value, dtype=complex)), f"'{key}'", "complex")
    for bad in (np.nan, np.inf):
        array = np.array(value, dtype=float)
        array[(-1,) * array.ndim] = bad
        refused(f"{bad} in {key}", changed(key, array), f"'{key}'", "finite", str(bad))
for key in CONTEXT:
    refused(f"DendriCL without {key}", without(key, CONTEXT), f"'{key}'", "expected a member")
    if key == "meta":
        continue
    shape = np.shape(CONTEXT[key])
    refused(f"more axes of {key}", changed(key, np.zeros(shape + (2,)), CONTEXT), f"'{key}'",
            "expected", r"\(.*\)")
    if shape and key not in ("WA", "WB", "F1.weight"):
        wrong = np.zeros((shape[0] + 1, *shape[1:]))
        refused(f"more rows of {key}", changed(key, wrong, CONTEXT), f"'{key}'",
                "d = 3, d_a = 6, d_m = 4, 7 rows of F1.weight", r"found \(.*\)")
    array = np.array(CONTEXT[key], dtype=float)
    array[(-1,) * array.ndim] = np.nan
    refused(f"nan in {key}", changed(key, array, CONTEXT), f"'{key}'", "finite", "nan")
    refused(f"complex {key}", changed(key, array * 1j, CONTEXT), f"'{key}'", "complex")
    half = np.asarray(CONTEXT[key], dtype=np.float16)
    TESTED.accepted(f"half precision of {key}", changed(key, half, CONTEXT))
for key, bad, *patterns in (("alpha", 0.0, r"\(0, 1\]", "found 0"), ("alpha", 1.5, "1.5"),
                            ("gamma", 0.0, "above 0", "found 0"), ("gamma", -0.1, "above 0"),
                            ("th1", 0.0, "above 0"), ("th2", -1.0, "above 0", "-1")):
    refused(f"{key} {bad}", changed(key, np.array(bad), CONTEXT), f"'{key}'", *patterns)
for entries, *patterns in (({"soma": "quadratic"}, '"soma"', "quadratic", "memoryless"),
                           ({"soma": 3}, '"soma"', "text"),
                           ({"n_micro": 0}, '"n_micro"', "1 to 1024", "found 0"),
                           ({"n_micro": 2.5}, '"n_micro"', "2.5"),
                           ({"decay": 1.0}, '"decay"', r"\[0, 1\)", "1.0"),
                           ({"tau": 0.5}, '"tau"', "0.5"), ({"res": 1}, '"res"', "residual"),
                           ({"readout": "skip"}, '"readout"', "skip", "ff"),
                           ({"ffin": "rate"}, '"ffin"', "rate", "spike"),
                           ({"spike": 2}, '"spike"', "DendriCNN", "found 2"),
                           ({"spike": "no"}, '"spike"', "DendriCNN", 'found "no"'),
                           ({"layers": 2}, '"layers"', "expected 1", "no L1.WA", "found 2"),
                           ({"decode": "mean"}, '"decode"', "last=1", "mean"),
                           ({"norm": "layer"}, "'norm'", "soma, readout", "may change"),
                           ({"U": 4}, "'U'", "may change")):
    refused(f"DendriCL with {entries}", meta(CONTEXT, **entries), "'meta'", *patterns)
TWO = {**CONTEXT, **{f"L1.{key}": CONTEXT[key] for key in
                     "WA bB WO gA gB alpha gamma th1".split()}, "L1.WB": np.ones((4, 4))}
for title, content, *patterns in (
        ("a second layer that sees the token", changed("L1.WB", np.ones((4, 5)), TWO),
         "'L1.WB'", r"\(4, 4\)", r"\(4, 5\)"),
        ("no second soma", {k: v for k, v in TWO.items() if k != "L1.WO"}, "'L1.WO'", "none"),
        ("a second leak", changed("L1.alpha", np.array(2.0), TWO), "'L1.alpha'", r"\(0, 1\]"),
        ("layers of another number", meta(TWO, layers=3), '"layers"', "L1.WA", "found 3"),
        ("two predictions", meta(TWO, readout="ff+prediction"), '"readout"', "each of which")):
    refused(title, content, *patterns)
SPIKFORMER = {"meta": {"neuron": "spikformer", "heads": 2}, "We": np.ones((4, 5)),
              "be": np.ones(4), "Wout": np.ones((1, 4)), "bout": np.ones(1),
              "scale0": np.ones(4), "shift0": np.ones(4), "W10": np.ones((3, 4)),
              "b10": np.ones(3), "W20": np.ones((4, 3)), "b20": np.ones(4),
              **{f"W{n}0": np.ones((4, 4)) for n in "qkvo"},
              **{f"b{n}0": np.ones(4) for n in "qkvo"}}
ACTIVE = {"meta": {"neuron": "active-dendrites", "k_winners": 2}, "W0": np.ones((4, 5)),
          "b0": np.ones(4), "W1": np.ones((3, 4)), "b1": np.ones(3),
          "D1": np.ones((3, 2, 4)), "Wout": np.ones((1, 3)), "bout": np.ones(1)}
for title, content, *patterns in (
        ("heads that do not divide", meta(SPIKFORMER, heads=3), '"heads"', "4 rows of We"),
        ("blocks of another number", meta(SPIKFORMER, blocks=2), '"blocks"', "expected 1"),
        ("d of another number", meta(SPIKFORMER, d=4), '"d"', "expected 3", "found 4"),
        ("no key", {k: v for k, v in SPIKFORMER.items() if k != "Wk0"}, "'Wk0'", "dendricl"),
        ("a narrow scale", changed("scale0", np.ones(3), SPIKFORMER), "'scale0'", r"\(3,\)"),
        ("softmax", meta(SPIKFORMER, softmax=1), "'softmax'", "may change"),
        ("the mean of read-outs", meta(SPIKFORMER, decode="mean"), '"decode"', "last=1"),
        ("no k", changed("meta", {"neuron": "active-dendrites"}, ACTIVE), '"k_winners"', "none"),
        ("more winners than units", meta(ACTIVE, k_winners=4), '"k_winners"', "1 to 3"),
        ("no segments", {k: v for k, v in ACTIVE.items() if k != "D1"}, "'D1'", "none"),
        ("segments of other units", changed("D1", np.ones((3, 2, 3)), ACTIVE), "'D1'",
         r"\(3, K, 4\)", r"\(3, 2, 3\)"),
        ("no token", changed("W0", np.ones((4, 2)), ACTIVE), "'W0'", "3 columns"),
        ("layers of another number", meta(ACTIVE, layers=3), '"layers"', "expected 2")):
    refused(title, content, *patterns)
queries = np.zeros((2, 4, 5))
queries[:, -1, 4] = 1
queries[1, 2, 4] = 1
refused("examples with two queries", {**CONTEXT, "x_ex": queries}, "'x_ex'", "sample 1",
        "token 3 after token 2")
refused("no columns", changed("W0", np.zeros((12, 0))), "'W0'", r"\(12, 0\)")
refused("columns of another layer", changed("W1", np.ones((12, 7))), "'W1'", "12 columns",
        r"\(12, 7\)")
refused("J of another array", changed("C0", np.ones((2, 2, 2))), "'C0'", r"\(3, 2, 2\)",
        "J = 3, K = 2")
refused("complex numbers", changed("b0", np.ones(12) * 1j), "'b0'", "complex")
refused("text for numbers", changed("b0", np.array(["x"] * 12)), "b0")
refused("phi_s zero", changed("phi_s0", np.array(0.0)), "'phi_s0'", "above 0", "found 0")
refused("phi_s negative", changed("phi_s1", np.array(-0.5)), "'phi_s1'", "above 0", "-0.5")
refused("taus zero", changed("taus1", np.array(0.0)), "'taus1'", "above 0", "found 0")
refused("dt zero", at("dt0", 1, 0.0), "'dt0'", "above 0", "branch 1")
refused("dt negative", at("dt1", 0, -1.0), "'dt1'", "above 0", "-1", "branch 0")
refused("tauj zero", at("tauj0", 2, 0.0), "'tauj0'", "other than 0")
refused("tau negative", at("tau1", (0, 1), -2.0), "'tau1'", "above 0", "-2")
refused("tau_f zero", at("tau_f1", (1, 0), 0.0), "'tau_f1'", "other than 0")
refused("windows too short", changed("Dp0", np.array(5)), "'S0'", r"\(J-1\) S \+ D' = D = 12",
        "D' = 5")
refused("windows with holes", changed("Dp0", np.array(2)) | {"S0": np.array(5)}, "'S0'",
        "cover", "S = 5, D' = 2")
refused("window of half a channel", changed("Dp0", np.array(5.5)), "'Dp0'", "integer", "5.5")
refused("no window", changed("Dp0", np.array(0)), "'Dp0'", "at least one")
refused("unstable mode", at("lam_re0", (2, 1), 0.25), "'lam_re0'", "branch 2, mode 1",
        r"\|A_hat\|", "below 1")
refused("mode that never decays", at("lam_re0", (0, 0), 0.0) | {"lam_im0": np.zeros((3, 2))},
        "'lam_re0'", "branch 0, mode 0", "found 1")
refused("unstable cable", at("tau_f1", (1, 0), 0.05), "'tau1'", "branch 1", "below 1")
refused("very long cable", changed("tau1", np.ones((2, 1025))), "'tau1'", "at most 1024",
        "found 1025")
refused("cable and modes", {**GOOD, "lam_re1": np.ones((2, 4))}, "'tau1'", "both")
for base, entries, *patterns in (
        (GOOD, {"reset": "subtract"}, "'reset'", "layers, decode, f, U, Vth, tau", "may change"),
        (GOOD, {"soma": "virtual"}, "'soma'", "may change"),
        (LIF, {"reset": "zero"}, "'reset'", "layers, decode, tau", "may change"),
        (LIF, {"readout": "ff"}, "'readout'", "may change"),
        (LIF, {"Vth": 2.0}, '"Vth"', "threshold of LIF", "found 2.0")):
    refused(f"a key that may change the meaning: {entries}", meta(base, **entries), "'meta'",
            *patterns)
refused("unknown neuron", meta(neuron="lstm"), "'meta'", '"neuron"', "lstm",
        r"expected mmdend, lif, .* or \w+, found")
refused("the neuron of another network", meta(neuron="elm"), "'meta'", '"neuron"', "'W0'",
        "MMDEND", "models/mmdend/README.md")
refused("unknown f", meta(f="gelu"), "'meta'", '"f"', "gelu", "relu")
refused("Vth that does not divide U", meta(Vth=1.5), '"Vth"', "divides U = 4", "1.5")
refused("Vth zero", meta(Vth=0), '"Vth"', "divides", "found 0")
refused("U negative", meta(U=-4), '"U"', "above 0", "-4")
refused("U is a text", meta(U="four"), '"U"', "number", "four")
refused("too many layers said", meta(layers=3), "'W2'", "expected a member")
refused("too few layers said", meta(layers=1), '"layers"', "expected 2", "found 1")
refused("half a layer", meta(layers=1.5), '"layers"', "1.5")
refused("unknown decoding", meta(decode="loudest"), '"decode"', "loudest", "mean or last=N")
refused("decoding of no steps", meta(decode="last=0"), '"decode"', "last=0")
refused("LIF with a time constant below a step", meta(LIF, tau=0.5), '"tau"', "0.5")
refused("LIF that forgets everything", meta(LIF, soma="memoryless"), '"soma"',
        "leaky or virtual", "memoryless")
refused("LIF with part of a tick", meta(LIF, soma="virtual", n_micro=2.5), '"n_micro"',
        "micro steps per token", "2.5")
refused("recurrence beside a held input",
        {**meta(LIF, soma="virtual", n_micro=2), "V0": np.ones((4, 4))}, "'V0'",
        "2 micro steps", "from layer 1 on")
refused("meta is no JSON", changed("meta", np.array("{J: 4")), "'meta'", "JSON")
refused("meta is a number", changed("meta", np.array(4.0)), "'meta'", "text")
refused("no archive", b"hello", "archive")
refused("empty archive", {}, "known by keys", "models/dendricl", "found no array")
refused("keys of no network", {f"a{i}": np.ones(2) for i in range(9)}, "known by keys",
        r"MMDEND \(models/mmdend/README.md: W0, Wout\)", "found 'a0', .*'a7', \\.\\.\\.; .*from_layers")
refused("keys of another network than meta names", meta(CONTEXT, neuron="lif"), "'meta'",
        '"neuron"', "LIF", "'WA'", r"DendriCL \(models/dendricl/README.md\)")
refused("a missing key names the folder", without("th2", CONTEXT),
        "models/dendricl/README.md lists the keys of a checkpoint of DendriCL")
save(TESTED.file, GOOD)
refused("cut archive", TESTED.file.read_bytes()[:-100])


def warning(members):
    done = TESTED.compiled(members)
    done.check_returncode()
    return done.stderr


said = warning({**GOOD, "V9": np.ones(3), "x_ex": np.ones((1, 2, GOOD["W0"].shape[1]))})
if "'V9'" not in said or "x_ex" in said:
    TESTED.fail(f"unknown member: {said!r}")

# WA^T WA has trace 3 (6 * 0.04) = 0.72, so the mean step is 0.24 gamma; 2 / (d + 2) = 0.4.
said = [warning({**CONTEXT, "gamma": np.array(gamma), "at": np.ones(()), "gt": np.ones(()),
                 "Ry": np.ones(()), "z": np.ones(2)}) for gamma in (1.65, 1.7)]
if "gamma" in said[0] or not re.search(r"'gamma'.*0\.408.*2/\(d\+2\) = 0\.4\b", said[1]) or any(
        "'z'" not in text or "'Ry'" in text for text in said):
    TESTED.fail(f"warnings of DendriCL: {said}")
sys.exit(TESTED.end())

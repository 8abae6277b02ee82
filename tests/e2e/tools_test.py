# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/nir/Writer.cpp, compiler/import/nir/OptionsTools.cpp.
"""Recordings of training tools: networks of their own API with the spikes that they gave.
Without any key each is equal, refused, or told to be a guess (`assumed-rule`); where it is a
guess, the keys that the warning names make it equal. `--all` prints every line."""
import json
import os
import pathlib
import subprocess
import sys

from support import DENDROLITH, FOLDER, ROOT, check, np

try:
    import h5py
except ImportError:
    print("skipped: h5py is not installed")
    sys.exit(77)

os.environ["DENDROLITH_BIN"] = str(pathlib.Path(DENDROLITH).resolve())
sys.path.insert(0, str(ROOT / "runtime" / "python"))
import dendrolith as dl  # noqa: E402

SHARED = pathlib.Path(os.environ.get("DENDROLITH_SHARED", ROOT.parent / "shared"))
CASES = SHARED / "data" / "real_tools"
if not CASES.is_dir():
    print("skipped: no ../shared")
    sys.exit(77)
TOLD = {"assumed-rule", "weighted-sums"}
#: What settles a network that was not trained by its tool's defaults.
SETTLED = {
    "norse__iaf": "from=norse",
    "norse__lifbox_leak": "1:v-reset=-0.2",
    "sinabs__iaf_single": "from=sinabs,spikes-per-step=one",
    "sinabs__lif_raw": "preset=sinabs",
    "sinabs__v_conv_infer": "from=sinabs,v-min=1",
    "sinabs__v_iaf_min": "from=sinabs,v-min=0.4",
    "snntorch__leaky_graded": "1:spike-value=2",
    "snntorch__leaky_none_late": "reset=none",
    "snntorch__leaky_subtract_now": "reset-when=same",
    "snntorch__leaky_zero_late": "reset=zero",
    "snntorch__leaky_zero_now": "reset=zero",
    "snntorch__rleaky_zero": "reset=zero",
    "snntorch__v_mixed_resets": "3:reset=zero",
}
#: What no file says and no key can give: inhibition, tau_syn, a layer that the exporter lost.
LOST = {"snntorch__leaky_inhibition", "sinabs__lif_syn", "snntorch__class_skip"}


def potentials(case):
    """The potentials that were recorded, by the traces that show them here."""
    if not (case / "net.nir").exists():
        return {}
    names = [key for key in np.load(case / "expected.npz").files if key.endswith(":v")]
    with h5py.File(case / "net.nir") as file:
        nodes = {name for name, node in file["node/nodes"].items() if "nodes" not in node}
    return {name: name if name[:-2] in nodes else f"{name[:-2]}.lif:v"
            for name in names if {name[:-2], f"{name[:-2]}.lif"} & nodes}

#: snnTorch's mem is recorded before its reset to zero, V of Spyx' CuBaLIF before the
#: subtraction; v is here what a step leaves behind.
BEFORE_RESET = {"snntorch__leaky_zero_late", "snntorch__leaky_zero_now", "snntorch__rleaky_zero",
                "snntorch__v_mixed_resets", "spyx__cuba"}


class Answer:
    """One run of a case: how many values differ, or why it is refused."""

    def __init__(self, case, *keys):
        nir = case / "net.nir"
        out = FOLDER / case.name
        arguments = [nir, "--engine", "float"] if nir.exists() else [
            case / "net.net", "--target", "loihi2"]
        for key in keys:
            arguments += ["--import", key]
        traces = potentials(case)
        if traces:
            arguments += ["--trace", ",".join(traces.values())]
        done = subprocess.run(
            [DENDROLITH, "run", *arguments, "--input", case / "x.npy", "--out", out],
            capture_output=True, text=True)
        self.refused = done.stderr.strip() if done.returncode else ""
        self.warnings = {}
        if self.refused:
            return
        expected = np.load(case / "expected.npz")
        wanted = np.squeeze(expected["out" if "out" in expected.files else "own"])
        found = np.squeeze(np.load(out / "outputs.npy"))
        found = found.reshape(wanted.shape) if found.size == wanted.size else found
        bound = 1e-4 * max(1, abs(wanted).max())
        self.differ, self.size = int((abs(found - wanted) > bound).sum()), wanted.size
        self.traced = dict(np.load(out / "traces.npz")) if traces else {}
        for one in json.loads((out / "result.json").read_text()).get("warnings", []):
            self.warnings.setdefault(one["code"], one["text"])

    @property
    def kind(self):
        if self.refused:
            return "refused"
        told = TOLD & set(self.warnings)
        return ("told" if told else "SILENT") if self.differ else "equal"


def traces_of(case, answer):
    """Where an equal network's potentials are others: by the step, and by how much."""
    expected, far = np.load(case / "expected.npz"), {}
    for name, trace in potentials(case).items():
        wanted = np.squeeze(expected[name])
        found = np.squeeze(answer.traced[trace]).reshape(len(wanted), -1)
        wanted = wanted.reshape(len(wanted), -1)[:, :found.shape[1]]
        gap = abs(found - wanted).max(1)
        if gap.max() > 1e-4:
            far[name] = f"step {int((gap > 1e-4).argmax())}, {gap.max():.2g}"
    return far


def layer(kind, of):
    """A layer of a case of the Python package."""
    if kind == "Recurrent":
        return dl.Recurrent(layer(*of["neuron"]), np.array(of["weight"]), np.array(of["bias"]))
    make = dl
    for part in kind.split("."):
        make = getattr(make, part)
    return make(**{key: np.array(one) if isinstance(one, list) else one
                   for key, one in of.items()})


kinds = {}
for case in sorted(CASES.iterdir()):
    if not (case / "net.nir").exists() and not (case / "net.net").exists():
        continue
    answer = Answer(case)
    kinds.setdefault(answer.kind, []).append(case.name)
    far = traces_of(case, answer) if answer.kind == "equal" else {}
    check("--before" in sys.argv or not far or case.name in BEFORE_RESET,
          f"{case.name}: potentials are the tool's, {far}")
    if "--all" in sys.argv:
        print(f"{case.name:32} {answer.kind:8}", far or "", answer.refused.splitlines()[-1][:150]
              if answer.refused else f"{answer.differ}/{answer.size} {list(answer.warnings)}",
              flush=True)
    if case.name in SETTLED and "--before" not in sys.argv:
        keys = SETTLED[case.name]
        text = answer.warnings.get("assumed-rule", "")
        if keys.startswith("from="):  # a tool that was said may ask for more
            text += Answer(case, keys.split(",")[0]).warnings.get("assumed-rule", "")
        for key in keys.split(","):
            name = key.split(":")[-1]
            if name.split("=")[0] in ("v-min", "v-reset", "spike-value"):
                name = name.split("=")[0] + "="
            check(name in text, f"{case.name}: the warning names {name}")
        settled = Answer(case, keys)
        check(settled.kind == "equal", f"{case.name}: equal with {keys}")
        far = traces_of(case, settled)
        check(not far or case.name in BEFORE_RESET, f"{case.name}: potentials, {far}")
# A first convolution reads what its output implies; with a stride that is open.
conv = CASES / "lavadl__cuba_conv"
check("--before" in sys.argv or conv.name in kinds["equal"], "a first convolution runs")
(FOLDER / "strided").mkdir()
strided = FOLDER / "strided" / "net.net"
strided.write_bytes((conv / "net.net").read_bytes())
with h5py.File(strided, "a") as file:
    del file["layer/0/stride"]
    file["layer/0/stride"] = np.array([2, 2])
    file["layer/0/shape"][...] = [3, 3, 3]
    file["layer/1/shape"][...] = [27, 1, 1]
    weight = file["layer/2/weight"][:, :27]
    del file["layer/2/weight"], file["layer/2/inFeatures"]
    file["layer/2/weight"], file["layer/2/inFeatures"] = weight, 27
for keys, code, says in (([], 1, "give --import input-shape=2x6x6"),
                         (["--import", "input-shape=2x6x5"], 0, ""),
                         (["--import", "input-shape=2x9"], 1, "such as 2x34x34, found '2x9'")):
    done = subprocess.run([DENDROLITH, "run", strided, "--target", "loihi2", "--input",
                           conv / "x.npy", "--out", FOLDER / "strided" / "out", *keys],
                          capture_output=True, text=True)
    check("--before" in sys.argv or (done.returncode == code or code and done.returncode)
          and says in done.stderr, f"strided convolution with {keys}: {done.stderr[-300:]}")
# v >= v_threshold is v > v_threshold - 1 in integers, so that SpikingJelly's ties are kept.
tie = CASES / "spikingjelly__if_tie"
for target in ("loihi1", "loihi2"):
    subprocess.run([DENDROLITH, "run", tie / "net.nir", "--target", target, "--engine", "cycle",
                    "--verify", "--input", tie / "x.npy", "--out", FOLDER / target],
                   check="--before" not in sys.argv, capture_output=True)
    if "--before" not in sys.argv:
        differ = int((np.squeeze(np.load(FOLDER / target / "outputs.npy")) !=
                      np.load(tie / "expected.npz")["out"]).sum())
        check(differ == 0, f"ties on {target}: {differ} spikes differ")
for case in sorted(CASES.glob("door_*")):
    told = json.loads((case / "case.json").read_text())["door"]
    expected, x = np.load(case / "expected.npz"), np.load(case / "x.npy")
    net = dl.from_layers([*(layer(*one) for one in told[:-1]), ("n", layer(*told[-1]))])
    result = net.run(x, trace=["n:v"])
    differ = int((np.squeeze(result.outputs) != expected["out"]).sum())
    gap = abs(np.squeeze(result.traces["n:v"]) - expected["v"]).max()
    kinds.setdefault("SILENT" if differ else "equal", []).append(case.name)
    check(differ == 0 or "--before" in sys.argv, f"{case.name}: {differ} spikes differ")
    check(gap < 1e-4 or case.name in BEFORE_RESET or "--before" in sys.argv,
          f"{case.name}: potentials differ by {gap:.2g}")
print({kind: len(names) for kind, names in sorted(kinds.items())})
if "--before" not in sys.argv:
    check("SILENT" not in kinds, f"silently wrong: {kinds.get('SILENT')}")
    beyond = set(kinds.get("told", ())) - set(SETTLED) - LOST
    check(not beyond, f"a guess that no key settles: {sorted(beyond)}")

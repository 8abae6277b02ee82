# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/nir/Writer.cpp, compiler/import/nir/OptionsTools.cpp and
# compiler/import/nir/Explicit.cpp.
"""Networks of training tools beside what the tools themselves computed (recordings/).

Each is equal, told to be a guess and equal with the keys that the warning names, told
where no key can help, or refused; none is wrong in silence. README.md has the table that
this prints with --write. Every network that runs is also exported as NIR, and the file runs
without any key to the same bits.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).parent
RECORDINGS = HERE / "recordings"
PAGE = HERE / "README.md"
BINARY = sys.argv[1]
TOLD = {"assumed-rule", "weighted-sums"}
#: Recorded before a reset that v here has behind it: snnTorch's to zero, and the threshold
#: that Spyx's CuBaLIF takes off at the begin of its next step.
BEFORE_RESET = {"snntorch": ("leaky_zero", "leaky_zero_now", "leaky_mixed", "rleaky_zero",
                             "synaptic_zero"), "spyx": ("cuba", "rcuba")}
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)
        print(f"FAILED: {what}", flush=True)


class Run:
    """A run of a network on engine float: outputs, potentials, warnings, or why not."""

    def __init__(self, folder, net, x, keys="", trace=()):
        arguments = [BINARY, "run", net, "--engine", "float", "--input", x, "--out", folder]
        if keys:
            arguments += ["--import", keys]
        if trace:
            arguments += ["--trace", ",".join(trace)]
        done = subprocess.run(arguments, capture_output=True, text=True)
        self.refused = done.stderr.strip() if done.returncode else ""
        if self.refused:
            return
        self.outputs = np.load(folder / "outputs.npy")
        self.traces = dict(np.load(folder / "traces.npz")) if trace else {}
        result = json.loads((folder / "result.json").read_text())
        self.warnings = {one["code"]: one["text"] for one in result.get("warnings", [])}

    def differ(self, wanted):
        found = np.squeeze(self.outputs).reshape(wanted.shape)
        bound = 1e-4 * max(1, abs(wanted).max())
        return int((abs(found - wanted) > bound).sum())


class Network:
    """One recorded network and what becomes of it."""

    def __init__(self, tool, name, about, arrays, folder):
        self.name, self.about = f"{tool} {name}", about
        self.folder = folder / f"{tool}_{name}"
        self.folder.mkdir()
        self.keys, self.word = about["keys"], "not in the file"
        self.wanted = np.asarray(arrays(f"{name}/out"), float)
        if "error" in about:
            self.word = "not exported"
            return
        self.net, self.x = self.folder / "net.nir", self.folder / "x.npy"
        self.net.write_bytes(arrays(f"{name}/net").tobytes())
        np.save(self.x, arrays(f"{name}/x").astype(np.float32))
        self.states = {key.split(":")[1]: arrays(key)
                       for key in arrays.names if key.startswith(f"{name}/v:")}
        self.before_reset = name in BEFORE_RESET.get(tool, ())
        self.judge()

    def judge(self):
        plain = Run(self.folder / "plain", self.net, self.x)
        if plain.refused:
            self.word, self.run = "refused", None
            return
        self.run, told = plain, TOLD & set(plain.warnings)
        if plain.differ(self.wanted) == 0:
            self.word, self.keys = "works", ""
        else:
            check(told, f"{self.name}: differs in silence")
        if self.word == "works" or self.keys is None:
            check(self.word == "works" or self.about["lost"] in plain.warnings.get(
                "assumed-rule", ""), f"{self.name}: the warning names {self.about['lost']}")
        else:
            self.word = "needs a key"
            self.run = Run(self.folder / "keys", self.net, self.x, self.keys)
            check(not self.run.refused and self.run.differ(self.wanted) == 0,
                  f"{self.name}: equal with {self.keys}")
        if self.word != "not in the file":
            self.potentials()

    def potentials(self):
        names = {}
        for layer, values in self.states.items():
            for node in (layer, f"_{layer}", f"{layer}.lif", f"{layer}.{layer}.lif"):
                traced = Run(self.folder / "traced", self.net, self.x, self.keys,
                             [f"{node}:v"])
                if not traced.refused:
                    names[node] = (traced.traces[f"{node}:v"], values)
                    break
            else:
                check(False, f"{self.name}: no v of {layer}, {traced.refused[-200:]}")
        for node, (found, values) in names.items():
            found = np.squeeze(found).reshape(values.shape)
            gap = abs(found - values).max() / max(1, abs(values).max())
            check(gap < 1e-4 or self.before_reset, f"{self.name}: v of {node}, {gap:.2g}")

    def round_trip(self):
        """The network as it was understood runs without a key, to the same bits."""
        told = ["--import", self.keys] if self.keys else []
        file = self.folder / "told.nir"
        done = subprocess.run([BINARY, "export", self.net, "--format", "nir", "-o", file,
                               *told], capture_output=True, text=True)
        check(done.returncode == 0, f"{self.name}: export, {done.stderr.strip()[-200:]}")
        if done.returncode:
            return
        again = Run(self.folder / "again", file, self.x)
        check(not again.refused and np.array_equal(again.outputs, self.run.outputs),
              f"{self.name}: its export is another network, {again.refused[-200:]}")


class Arrays:
    def __init__(self, path):
        self.file = np.load(path)
        self.names = self.file.files

    def __call__(self, name):
        return self.file[name]


WORDS = ("works", "needs a key", "not in the file", "refused", "not exported")


def table(folder):
    """A row for each tool and word with its networks, and how many networks have each word."""
    lines, counts = ["| tool | | networks |", "|---|---|---|"], dict.fromkeys(WORDS, 0)
    for path in sorted(RECORDINGS.glob("*.npz")):
        arrays = Arrays(path)
        about = json.loads(str(arrays("about")))
        found = {word: [] for word in WORDS}
        for name, told in about["networks"].items():
            network = Network(path.stem, name, told, arrays, folder)
            key = f" (`{network.keys}`)" if network.word == "needs a key" else ""
            found[network.word].append(network.about["about"] + key)
            if getattr(network, "run", None):
                network.round_trip()
        for word in filter(found.get, WORDS):
            counts[word] += len(found[word])
            tool = f"{path.stem} {about['versions'][path.stem]}"
            lines.append(f"| {tool} | {word} | {'; '.join(found[word])} |")
    return lines, counts


def package():
    """The Python package of this tree, with the binary that is tested."""
    os.environ["DENDROLITH_BIN"] = str(pathlib.Path(BINARY).resolve())
    sys.path.insert(0, str(HERE.parents[1] / "runtime" / "python"))
    import dendrolith
    return dendrolith


def delayed(dl):
    """SpikingJelly's layer.Delay, which its exporter leaves out, in Python's layers."""
    arrays = Arrays(RECORDINGS / "spikingjelly.npz")
    dense = [dl.Linear(arrays(f"delay/weight:{i}"), arrays(f"delay/bias:{i}")) for i in (0, 3)]
    node = dl.spikingjelly.IFNode
    net = dl.from_layers([dense[0], node(), ("wait", dl.Delay(2e-3)), dense[1], node()], dt=1e-3)
    x, wanted = arrays("delay/x").astype(float), arrays("delay/out")
    check(np.array_equal(net.run(x).outputs, wanted) and wanted.any(), "a Delay of two steps")
    for chip in ("loihi1", "loihi2"):
        result = dl.compile(net, chip, calibrate=x[None]).run(x, engine="cycle", verify=True)
        check(result.outputs.shape == wanted.shape, f"a Delay on {chip}")


def neurons(dl):
    """The package's neurons with the parameters of recorded ones."""
    snn, jelly, norse, sinabs = dl.snntorch, dl.spikingjelly, dl.norse, dl.sinabs
    zero, now = {"reset_mechanism": "zero"}, {"reset_delay": False}
    multi = {"spike_fn": "multi"}
    return {
        "snntorch leaky": [snn.Leaky(.9), snn.Leaky(.8)],
        "snntorch leaky_one": [snn.Leaky(1), snn.Leaky(0)],
        "snntorch leaky_zero": [snn.Leaky(.9, **zero)] * 2,
        "snntorch leaky_now": [snn.Leaky(.9, **now)] * 2,
        "snntorch leaky_now_heavy": [snn.Leaky(.9, **now)] * 2,
        "snntorch leaky_zero_now": [snn.Leaky(.9, **zero, **now)] * 2,
        "snntorch leaky_mixed": [snn.Leaky(.9), snn.Leaky(.9, **zero)],
        "snntorch leaky_graded": [snn.Leaky(.9, graded_spikes_factor=1.5), snn.Leaky(.9)],
        "snntorch synaptic": [snn.Synaptic(.7, .85)] * 2,
        "snntorch synaptic_zero": [snn.Synaptic(.7, .85, **zero)] * 2,
        "spikingjelly if": [jelly.IFNode()] * 2,
        "spikingjelly if_reset": [jelly.IFNode(v_reset=-.4)] * 2,
        "spikingjelly lif": [jelly.LIFNode(2.), jelly.LIFNode(3.)],
        "spikingjelly lif_input": [jelly.LIFNode(2., False), jelly.LIFNode(3.)],
        "spikingjelly lif_reset": [jelly.LIFNode(2., v_reset=.2), jelly.LIFNode(3., v_reset=-.3)],
        "norse box": [norse.LIFBox()] * 2,
        "norse box_leak": [norse.LIFBox(v_leak=.3), norse.LIFBox()],
        "norse box_reset": [norse.LIFBox(v_reset=-.3), norse.LIFBox(v_reset=.1)],
        "norse box_slow": [norse.LIFBox(20), norse.LIFBox(300)],
        "norse lif": [norse.LIF(100, 200, v_th=.5)] * 2,
        "norse lif_leak": [norse.LIF(100, 200, .2, .5), norse.LIF(100, 200, -.1, .5)],
        "sinabs lif": [sinabs.LIF(8, .4, **multi), sinabs.LIF(4, .4, **multi)],
        "sinabs lif_one": [sinabs.LIF(8, .4)] * 2,
        "sinabs lif_raw": [sinabs.LIF(8, 1, norm_input=False, **multi)] * 2,
    }


def doors(dl, folder):
    """`from_layers` with a tool's neurons gives the spikes that the tool gave."""
    h5py = __import__("h5py")
    for title, pair in neurons(dl).items():
        tool, name = title.split(" ")
        arrays, path = Arrays(RECORDINGS / f"{tool}.npz"), folder / "door.nir"
        path.write_bytes(arrays(f"{name}/net").tobytes())
        with h5py.File(path) as file:
            dense = [dl.Linear(*(np.array(node[key], float) for key in ("weight", "bias")))
                     for _, node in sorted(file["node/nodes"].items()) if "bias" in node]
        net = dl.from_layers([dense[0], pair[0], dense[1], pair[1]])
        found, wanted = net.run(arrays(f"{name}/x").astype(float)).outputs, arrays(f"{name}/out")
        check(np.array_equal(found, wanted), f"{title} in from_layers: "
              f"{int((found != wanted).sum())} of {wanted.size} differ")


def near(a, b, share):
    return a is not None and abs(a - b) <= share * abs(b)


def neurobench(folder):
    """NeuroBench's harness beside our figures of its names (neurobench_networks.py)."""
    arrays, lines = Arrays(HERE / "neurobench.npz"), []
    told = json.loads(str(arrays("about")))
    lines += ["", f"| NeuroBench {told['neurobench']}: harness / ours | parameters | Dense | "
              "activation sparsity | Effective_ACs |", "|---|---|---|---|---|"]
    for name, wanted in told["figures"].items():
        path = folder / f"neurobench_{name}"
        path.mkdir()
        (path / "net.nir").write_bytes(arrays(f"{name}/net").tobytes())
        np.save(path / "x.npy", arrays(f"{name}/x").astype(np.float32))
        subprocess.run([BINARY, "run", path / "net.nir", "--target", "loihi2", "--input",
                        path / "x.npy", "--out", path], check=True, capture_output=True)
        both = json.loads((path / "result.json").read_text())["neurobench"]
        for one in both.values():
            check(one["ParameterCount"] == wanted["ParameterCount"], f"{name}: parameters")
            check(one["SynapticOperations"]["Dense"] == wanted["SynapticOperations"]["Dense"],
                  f"{name}: Dense")
        ours, ops = both["integer"], both["integer"]["SynapticOperations"]
        check(near(ours["ActivationSparsity"], wanted["ActivationSparsity"], .02),
              f"{name}: sparsity {ours['ActivationSparsity']}")
        check(both["float"]["ConnectionSparsity"] == wanted["ConnectionSparsity"],
              f"{name}: connections")
        harness = wanted["SynapticOperations"]
        if harness["Effective_MACs"]:  # a pooling, which runs merged into the next map
            check(ops["Effective_ACs"] is None, f"{name}: what ran is no layer")
        else:
            check(near(ops["Effective_ACs"], harness["Effective_ACs"], .02),
                  f"{name}: ACs {ops['Effective_ACs']}")
        show = lambda value: "-" if value is None else f"{value:.4g}"
        lines.append(f"| {name} | {wanted['ParameterCount']} / {ours['ParameterCount']} | "
                     f"{harness['Dense']:.0f} / {ops['Dense']:.0f} | "
                     f"{wanted['ActivationSparsity']:.3f} / {ours['ActivationSparsity']:.3f} | "
                     f"{show(harness['Effective_ACs'])} / {show(ops['Effective_ACs'])} |")
    return lines


with tempfile.TemporaryDirectory() as folder:
    lines, counts = table(pathlib.Path(folder))
    lines += neurobench(pathlib.Path(folder))
    delayed(package())
    doors(package(), pathlib.Path(folder))
BEGIN, END = "<!-- written by: tools_test.py --write -->", "<!-- end -->"
page = PAGE.read_text()
head, rest = page.split(BEGIN)
new = head + BEGIN + "\n" + "\n".join(lines) + "\n" + END + rest.split(END)[1]
if "--write" in sys.argv:
    PAGE.write_text(new)
check(page == new or "--write" in sys.argv, "README.md has another table: --write renews it")
for word, count in counts.items():
    print(f"{word}: {count}")
sys.exit(bool(failures))

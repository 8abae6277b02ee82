# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/dendrolith/result.py, parts.py, program.py, network.py, compare.py,
# designs.py, plots.py and report.py.
"""A result in Python has what `dendrolith run --out` writes, in SI units; checks, designs,
comparisons and pictures say what the numbers say."""
import csv
import json
import re
import shutil
import subprocess
import zipfile

from support import FOLDER, DENDROLITH, LIF, check, finish, lif, np, dl, refused, warned

path, x, y = lif()
net = dl.load(path)
check(net.inputs == {"input": (32,)}, f"inputs {net.inputs}")
check("lif1" in net.populations, f"populations {net.populations}")

program = dl.compile(net, target="loihi1", calibrate=x[:8])
check(program.inputs == net.inputs and program.fit and program.target == "loihi1", repr(program))
result = program.run(x, labels=y, engine="cycle", trace=["lif1", "lif1:v"], out=str(FOLDER / "py"))

# The same by the command, on the same image.
image, data = FOLDER / "net.dlp", FOLDER / "x.npy"
program.save(image)
np.save(data, x)
np.save(FOLDER / "y.npy", y)
subprocess.run([DENDROLITH, "run", image, "--input", data, "--labels", FOLDER / "y.npy", "--engine",
                "cycle", "--trace", "lif1,lif1:v", "--out", FOLDER / "cli", "--report", "none"], check=True)
cli = json.loads((FOLDER / "cli" / "result.json").read_text())
for key in ("counts", "energy", "latency", "score", "layers", "mapping", "program_sha256",
            "neurobench", "hashes"):
    ours = result.data[key]
    if key in ("hashes",):  # tables.json does not differ either
        check(ours["outputs_sha256"] == cli[key]["outputs_sha256"] and
              ours["tables_sha256"] == cli[key]["tables_sha256"], "outputs and tables are equal")
    elif key == "layers":  # an image does not say what kind of synapses a model had
        ours = json.loads(json.dumps(ours))
        for source in [source for layer in ours for source in layer["sources"]]:
            check(source["kind"] == "dense" and source["window"] is None, f"{source}")
            source.update(kind=None, biases=None)
        check(ours == cli[key], "layers are those of the command")
    else:
        check(ours == cli[key], f"{key} is that of the command")
check(np.array_equal(result.outputs, np.load(FOLDER / "cli" / "outputs.npy")), "outputs")
check(np.array_equal(result.predicted, np.load(FOLDER / "cli" / "predicted.npy")), "classes")

check(result.accuracy == float((result.predicted == y).mean()), "accuracy is counted")
check(result.score.low < result.accuracy <= result.score.high, "the interval holds it")
check(np.isclose(result.energy.low, cli["summary"]["energy_per_sample_pJ"]["low"] * 1e-12),
      "energy is in joules")
check(np.allclose(result.energy.per_sample.mean(axis=0), [result.energy.low, result.energy.high]),
      "samples have the energy of the run")
check(result.energy.bound == ">=" and result.energy.by_event, "energy says how it stands")
check(np.isclose(result.latency.mean, cli["summary"]["latency_per_sample_ns"]["mean"] * 1e-9) and
      np.isclose(result.latency.per_sample.mean(), result.latency.mean), "latency is in seconds")
check(np.isclose(result.latency.system, result.latency.mean + 1e-9 *
                 result.data["steps"] * result.data["latency"]["system"]["per_step_ns"]) and
      result.latency.system > result.latency.mean and " on its system" in str(result.latency),
      "the time on the system is beside that of cores and mesh")
check(np.isclose(sum(layer.energy.low or 0 for layer in result.layers.values()),
                 result.energy.low), "layers add up to the energy of a sample")
spikes = result.traces["lif1"]
check(np.isclose(result.layers["lif1"].rate, (spikes != 0).mean()), "the rate of a layer")
units = result.data["trace_units_per_real"]["lif1:v"]
check(units > 1 and np.allclose(result.traces["lif1:v"] * units, result.traces.raw["lif1:v"]),
      "traces are in real units")
refused("a trace that was not asked for", lambda: result.traces["lif1:i"], "trace=['lif1:i']")
check(result.confusion.sum() == len(y) and np.trace(result.confusion) ==
      (result.predicted == y).sum(), "confusion")
check("accuracy" in str(result) and "<table>" in result._repr_html_(), "text and HTML")
check(dl.Result.load(FOLDER / "py").data == result.data, "a folder is read again")
refused("a folder without result", lambda: dl.Result.load(FOLDER), "no result.json")
refused("comparing what was read", lambda: dl.Result.load(FOLDER / "py").compare(), "Program.run")

# One sample, an image, other engines.
check(program.run(x[0]).outputs.shape == x[0].shape[:1] + result.outputs.shape[2:], "one sample")
again = dl.load(str(image)).run(x, labels=y)
check(np.array_equal(again.outputs, result.outputs), "an image gives the same")
check(again.latency.mean is None and again.confusion is not None, "no clock, no latency")
known = result.compare("float")
floats = net.run(x, labels=y, trace="lif1")
check(floats.target is None and floats.energy.low is None and not floats.layers, "float")
check(known.same_class == float((result.predicted == floats.predicted).mean()), "same class")
check(known.arrays["lif1"]["different"] == float((spikes != floats.traces["lif1"]).mean()),
      "traces are compared")
check(result.compare("reference").is_equal, "the chip equals the reference")
check("rms" in str(known) and "<table>" in known._repr_html_(), "a comparison reads")

# The page: one file that asks nobody for anything, with what was recorded.
result.report(FOLDER / "R.html")
page = (FOLDER / "R.html").read_text()
check(page.startswith("<!DOCTYPE html>") and "default-src 'none'" in page and
      f"{100 * result.accuracy:.2f}" in page and "shapes_lif" in page, "the page has the result")
for section in ("by-layer", "time", "chip", "spikes", "states", "score"):
    check(f'id="{section}"' in page, f"the page has {section}")
potentials = result.traces["lif1:v"][0]
told = re.search(r'lif1:v</th>.*?in the model.*?data-v="([^"]*)".*?data-v="([^"]*)".*?data-v="([^"]*)"', page, re.S)
check(told and np.allclose([float(one) for one in told.groups()],
                           [potentials.min(), potentials.mean(), potentials.max()]),
      f"potentials are in the model's units: {told and told.groups()}")

# A capsule of the same run, which the command verifies, of the float network and of a run at
# other times than the program was mapped for.
def verified(ran, *words):
    ran.capsule(FOLDER / "run.zip")
    told = subprocess.run([DENDROLITH, "verify", FOLDER / "run.zip"], capture_output=True, text=True)
    check(told.returncode == 0 and "equal: " in told.stdout, f"capsule: {told.stdout}{told.stderr}")
    with zipfile.ZipFile(FOLDER / "run.zip") as archive:
        names = archive.namelist()
        check(json.loads(archive.read("result.json"))["hashes"] == ran.data["hashes"], "its hashes")
    check(all(any(name.endswith(word) for name in names) for word in words), f"{words} in {names}")


verified(result, "shapes_lif.nir", "outputs.npy", "traces.npz", "chip.yaml")
verified(net.run(x, labels=y), "shapes_lif.nir", "outputs.npy")
verified(program.run(x, engine="cycle", timing="silicon-fit-2025"), "program.dlp")
refused("a capsule that cannot be written", lambda: result.capsule(FOLDER / "none" / "r.zip"), "none")
shutil.copy(path, FOLDER / "copy.nir")
copied = dl.compile(FOLDER / "copy.nir", "loihi1", calibrate=x[:8]).run(x)
shutil.copy(LIF.parent / "cnn" / "glyphs_cnn.nir", FOLDER / "copy.nir")
refused("a capsule of a changed network", lambda: copied.capsule(FOLDER / "r.zip"),
        "the file was changed after it was compiled")
refused("a capsule of what was read", lambda: dl.Result.load(FOLDER / "py").capsule("x.zip"),
        "dendrolith capsule FOLDER")

# Synaptic operations of a float run: each spike meets weights other than zero.
weight = np.array([[0.5, 0.0, 0.25], [1.0, 1.0, -0.5]])
own = dl.from_layers([dl.Linear(weight), dl.snntorch.Leaky(0.5, threshold=0.4),
                      dl.Linear(np.array([[1.0, 0.0]])), dl.snntorch.Readout(0.9)])
spikes_in = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 0], [0, 0, 3]], float)[None]

bench = own.run(spikes_in, trace=["lif1"])
sent = np.asarray(bench.traces["lif1"])[0, :, 0].sum()  # of whom a weight is not zero
check(sent > 0 and bench.neurobench["SynapticOperations"] == {
    "Effective_ACs": 8 + sent, "Effective_MACs": 2, "Dense": None}, f"{bench.neurobench}")
priced = {row["name"]: row for row in bench.conventions()}
check(priced["ac-mac-45nm"]["per_sample_pJ"] > 0 and
      priced["lemaire2022"]["per_sample_pJ"] is None and
      "not in the result" in priced["lemaire2022"]["reason"], "conventions of a float run")
refused("a page that cannot be written", lambda: result.report(FOLDER / "none" / "R.html"), "none")
refused("the page of what was read", lambda: dl.Result.load(FOLDER / "py").report(FOLDER / "x.html"),
        "dendrolith report")

# Checks.
report = dl.check(net, ["loihi1", "tiny"])
check(not report and report.targets["loihi1"].ok and not report.targets["tiny"].ok, str(report))
unfit = [finding for finding in report.findings if finding.target == "tiny"]
check(unfit and all(f.kind == "unfit" and f.used > f.limit and f.hint and f.resource and f.node
                    for f in unfit), f"findings {unfit}")
check(report.as_dict()["ok"] is False and "<table>" in report._repr_html_(), "a report reads")
error = refused("compiling it", lambda: dl.compile(net, "tiny"), kind=dl.Unfit)
check(error is None or error.node is not None, "it names the population")
refused("no such chip", lambda: dl.check(net, "lohi1"), "did you mean", "loihi1")
check(any("samples for calibration" in text for text in warned(
    lambda: program.run(np.swapaxes(np.repeat(x, 2, 0), 0, 1)))), "time first is suspected")

# Designs: rows in order, a point that does not fit is a row.
swept = dl.explore({"shapes": net}, x=x[:4], labels=y[:4], targets=["loihi1", "tiny"], weight_bits=[8, 4],
                 calibrate=x[:8], engine="functional", jobs=2)
check([(row["target"], row["weight_bits"]) for row in swept] ==
      [("loihi1", 8), ("loihi1", 4), ("tiny", 8), ("tiny", 4)], "rows in order")
check([row["status"] for row in swept] == ["ok", "ok", "unfit", "unfit"], f"{swept.rows}")
swept.to_csv(FOLDER / "t.csv")
with open(FOLDER / "t.csv", newline="") as file:
    rows = list(csv.DictReader(file))
check(len(rows) == 4 and float(rows[0]["score"]) == swept.rows[0]["score"], "CSV")

# The network as a picture, of what was loaded, compiled, run, and of an image alone.
drawings = {"network": net.plot(), "program": program.plot(), "result": result.plot.network(),
            "image": dl.load(str(image)).plot()}
for name, drawing in drawings.items():
    drawing.save(FOLDER / f"{name}.svg")
    shown = (FOLDER / f"{name}.svg").read_text()
    check(shown == drawing._repr_svg_() and ">lif1<" in shown and "synapses" in shown,
          f"a picture of a {name}")
cores = {name: re.findall(r">core \d+<|>\d+ cores<", drawing.svg) for name, drawing in drawings.items()}
check(not cores["network"] and len(cores["program"]) == len(cores["image"]) == 3 and
      "of updates emit" in drawings["result"].svg, f"cores of a program, rates of a result: {cores}")
refused("a drawing is SVG", lambda: drawings["network"].save(FOLDER / "net.png"), "ends in .svg")
refused("an image has no network", lambda: drawings["image"].save(FOLDER / "net.onnx"), "load the model's file")
drawings["network"].save(FOLDER / "net.onnx")
try:
    import onnx
except ImportError:
    print("skipped: onnx is not installed, networks for Netron are not read back")
else:
    model = onnx.load(FOLDER / "net.onnx")
    onnx.checker.check_model(model)
    check([each.op_type for each in model.graph.node] == ["dense", "cubalif"] * 2 + ["dense", "li"] and
          [each.name for each in model.graph.input] == ["input"] and
          {each.name: each.i for each in model.graph.node[2].attribute}["synapses"] == 128 * 128,
          f"onnx reads the network: {[each.name for each in model.graph.node]}")

# Pictures and tables of others, where they are there.
try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as pyplot
except ImportError:
    print("skipped: matplotlib is not installed, pictures are not drawn")
else:
    plot = result.plot
    for number, draw in enumerate((
            lambda: plot.raster("lif1"), lambda: plot.trace("lif1:v"), plot.rates, plot.confusion,
            plot.energy, lambda: plot.energy(by="event"), plot.latency, plot.steps, plot.fit,
            plot.chip, known.plot, drawings["network"].draw)):
        axes = draw()
        axes.figure.savefig(FOLDER / f"{number}.png")
        check((FOLDER / f"{number}.png").stat().st_size > 3000, f"picture {number}")
        pyplot.close("all")
    dots = plot.raster("lif1").collections[0].get_offsets()
    check(len(dots) == int((spikes[0] != 0).sum()), "the raster has every spike")
    refused("no clock to draw", again.plot.latency, "engine='cycle'")
    refused("no such count", lambda: plot.chip("nothing"), "expected one of")
try:
    import pandas  # noqa: F401
except ImportError:
    refused("no pandas", result.to_frame, "pandas is not installed")
else:
    check(list(result.to_frame()["layer"]) == list(result.layers), "a frame of layers")
    check(len(swept.to_frame()) == 4 and len(report.to_frame()) == len(report.findings), "frames")
finish()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/transforms/schedule/DendSchedule.cpp,
# simulator/events/SpikeCounter.cpp, runtime/driver/ExploreModel.cpp.
"""Integer spikes as a user sees them: forms, spread, values, decode, and the
formula of the MMDEND paper by hand."""
import csv
import hashlib
import json

from support import FOLDER, check, dendrolith, np, run

FX = "!dend.fx<24, 0>"
NETWORK = f"""
dend.network @integer {{
  dend.clock @step
  dend.input @x on @step : tensor<6xf64> as !dend.spike<int, -8, 8>
  dend.neuron @ssf ports(%I : {FX}) params(%keep : !dend.fx<16, -12>, %p : {FX}, %s : {FX})
      states(%v : {FX} reset sample) outputs(s : !dend.spike<int, -4, 4>) {{
    %k = dend.mul %v, %keep : ({FX}, !dend.fx<16, -12>) -> !dend.fx<40, -12>
    %l = dend.rescale %k round floor overflow wrap : (!dend.fx<40, -12>) -> {FX}
    %v1 = dend.add %l, %I overflow saturate : ({FX}, {FX}) -> {FX}
    %n = dend.ssf %v1 shift %p scale %s vth 1.0 u 4.0 : ({FX}, {FX}, {FX}) -> i32
    dend.yield states(%v1 : {FX}) emit(%n : i32)
  }}
  dend.neuron @read ports(%I : {FX}) states(%y : {FX} reset sample) {{
    dend.yield states(%I : {FX})
  }}
  dend.constant @keep : tensor<i16> = dense<3300> : tensor<i16>
  dend.constant @p : tensor<i32> = dense<-20> : tensor<i32>
  dend.constant @s : tensor<i32> = dense<90> : tensor<i32>
  dend.constant @W0 : tensor<12x6xi8> = dense<WEIGHTS0> : tensor<12x6xi8>
  dend.constant @W1 : tensor<8x12xi8> = dense<WEIGHTS1> : tensor<8x12xi8>
  dend.constant @W2 : tensor<3x8xi8> = dense<WEIGHTS2> : tensor<3x8xi8>
  dend.population @L0 : @ssf[12] on @step bind {{keep = @keep, p = @p, s = @s}}
  dend.population @L1 : @ssf[8] on @step bind {{keep = @keep, p = @p, s = @s}}
  dend.population @out : @read[3] on @step
  dend.project @x -> @L0["I"] #dend.dense weight @W0 delay 0
  dend.project @L0 -> @L1["I"] #dend.dense weight @W1 delay 0
  dend.project @L1 -> @out["I"] #dend.dense weight @W2 delay 0
  dend.output @y = probe @out["y"] decode "last=5"
}}
"""
rng = np.random.default_rng(11)
SAMPLES, TICKS = 6, 20
text = NETWORK
for i, shape in enumerate(((12, 6), (8, 12), (3, 8))):
    text = text.replace(f"WEIGHTS{i}", str(rng.integers(-30, 31, shape).tolist()))
model = FOLDER / "integer.mlir"
model.write_text(text)
np.save(FOLDER / "x.npy", rng.integers(-8, 9, (SAMPLES, TICKS, 6)).astype(float))
X = ["--input", FOLDER / "x.npy"]
ON = [model, "--target", "loihi2", *X]

# Forms and spread: the same integers; counts and schedule as each must have.
TRACES = ["--trace", "L0:s,L1:s,L0:v,L1:v,out:y"]
results = {}
for form in ("graded", "unary"):
    for cores in (0, 3):
        name = f"{form}{cores}"
        results[form, cores] = run(name, *ON, "--spikes", form,
                                   *(["--cores", f"{cores}:"] if cores else []), "--tuning",
                                   "{solver: packed}", "--engine", "cycle", "--verify", *TRACES)
first, outputs, traces = results["graded", 0]
for key, (result, out, traced) in results.items():
    check((out == outputs).all() and all((traced[n] == traces[n]).all() for n in traces),
          f"{key}: the same integers")
    check(result["spike_values"] == first["spike_values"], f"{key}: the same spike values")
    check(result["mapping"]["cores"] == (key[1] or 1), f"{key}: cores")
    spikes = result["counts"]["total"]["spikes"]
    values = np.concatenate([traced["L0:s"].ravel(), traced["L1:s"].ravel()])
    check((spikes["graded"], spikes["unary"]) ==
          ((np.count_nonzero(values), 0) if key[0] == "graded" else (0, np.abs(values).sum())),
          f"{key}: a message per value or per unit")
    check(result["schedule"]["period_steps"] == (1 if key[0] == "graded" else 4), f"{key}: period")
    check(result["policies"]["spikes"] == key[0] + " (given)", f"{key}: recorded")
for layer in ("L0", "L1"):
    values, counts = np.unique(traces[layer + ":s"], return_counts=True)
    want = {str(v): 0 for v in range(-4, 5)} | {str(v): int(n) for v, n in zip(values, counts)}
    check(first["spike_values"][layer] == want, f"{layer}: spike values are those traced")
    check(0 < want["0"] < SAMPLES * TICKS * 12, f"{layer}: speaks and is silent")

# A visit finds a neuron active by what is due for it, or by a word that is not 0
# before it: its state, or what is left to send in the three visits that only send.
def before(state):
    """What a state is before each tick."""
    return np.concatenate([np.zeros_like(state[:, :1]), state[:, :-1]], axis=1)


x = np.load(FOLDER / "x.npy")
active = {"graded": 0, "unary": 0}
for sources, spikes, state in ((x, "L0:s", "L0:v"), (traces["L0:s"], "L1:s", "L1:v"),
                               (traces["L1:s"], None, "out:y")):
    due = (sources.reshape(SAMPLES, TICKS, -1) != 0).any(axis=2)[:, :, None]
    visits = np.count_nonzero(due | (before(traces[state]) != 0))
    active["graded"] += visits
    active["unary"] += visits
    for sent in range(1, 4) if spikes else ():
        active["unary"] += np.count_nonzero(
            (traces[state] != 0) | (np.abs(traces[spikes]) > sent))
for key, (result, _, _) in results.items():
    found = result["counts"]["total"]["neuron_updates_active"]
    check(found == active[key[0]], f"{key}: {found} active visits, expected {active[key[0]]}")

# A host without payloads sends a unit spike for each unit: the same values, other costs.
# Negative values come by axons of their own, so that no unit has a sign.
(FOLDER / "positive.mlir").write_text(text.replace("!dend.spike<int, -8, 8>",
                                                   "!dend.spike<int, 0, 8>"))
np.save(FOLDER / "positive.npy", np.abs(x))
units, values = int(np.abs(x).sum()), np.count_nonzero(x)
for network, array, widths in (("positive", "positive", "430"), ("integer", "x", "540")):
    hosts = {}
    for bits in widths:
        sign = str(network == "integer" and bits == "5").lower()
        for engine in ("functional", "cycle"):
            hosts[bits, engine] = run(f"{network}{bits}{engine}", FOLDER / f"{network}.mlir",
                                      "--target", f"loihi2,host.sign={sign},host.payload_bits={bits}",
                                      "--input", FOLDER / f"{array}.npy", "--tuning", "{solver: packed}",
                                      "--engine", engine, "--verify")
    payload = hosts[widths[0], "cycle"][0]["counts"]["total"]
    for (bits, engine), (result, out, _) in hosts.items():
        total, what = result["counts"]["total"], f"{network}, {bits} bits, {engine}"
        unary = bits != widths[0]
        check((out == hosts[widths[0], "cycle"][1]).all(), f"{what}: the same values")
        check(total["inputs"] == (units if unary else values), f"{what}: inputs")
        check(total["messages"] - payload["messages"] == (units - values if unary else 0),
              f"{what}: a message for each unit")
        check((total["synops"]["graded"]["dense"] < payload["synops"]["graded"]["dense"]) == unary,
              f"{what}: units carry no payload")

# Decode: the model says the last 5 ticks, the command line another.
for flags, last, origin in (([], 5, "model"), (["--metric", "accuracy"], 5, "model"),
                            (["--metric", "accuracy:mean"], TICKS, "command line"),
                            (["--metric", "accuracy:last=1"], 1, "command line")):
    answers = outputs[:, TICKS - last:].sum(axis=1).argmax(axis=1)
    np.save(FOLDER / "y.npy", answers)
    result, _, _ = run("decode", *ON, "--labels", FOLDER / "y.npy", *flags)
    check(result["score"]["value"] == 1 and result["metric"]["from"] == origin,
          f"the answer is the last {last} ticks, from the {origin}")
wrong = outputs[:, -1].argmax(axis=1) != outputs.sum(axis=1).argmax(axis=1)
check(wrong.any(), "the decodes differ in this network")

# The image carries decode and layers.
image = FOLDER / "p.dlp"
dendrolith("compile", model, "--target", "loihi2", "-o", image)
np.save(FOLDER / "y.npy", outputs[:, -5:].sum(axis=1).argmax(axis=1))
result, _, _ = run("image", image, *X, "--labels", FOLDER / "y.npy")
check(result["score"]["value"] == 1 and result["metric"]["decode"] == "last=5",
      "the image says how it is decoded")
check([(row["population"], row["neurons"], row["sources"][0]["synapses"])
       for row in result["layers"] if row["kind"] == "population"] == [("L0", 12, 72), ("L1", 8, 96), ("out", 3, 24)],
      "the image says what its layers are")

# A study of forms and spread without a file has what the runs above have.
table = dendrolith("explore", *ON, "--axis", "compile.spikes=graded,unary", "--axis", "compile.cores=1,3",
           "--axis", "compile.solver=packed", "--format", "csv")
rows = list(csv.DictReader(table.splitlines()))
check([(row["compile.spikes"], row["cores"], row["state"]) for row in rows] ==
      [(form, cores, "done") for form in ("graded", "unary") for cores in "13"],
      f"explore measures four: {rows}")
shown = dendrolith("explore", *ON, "--axis", "compile.spikes=graded,unary")
check("compile.spikes" in shown and "unary" in shown, f"and shows a table: {shown}")

# The formula, on this run's rates and branches that are put in its place: the
# quantiser has none yet.
folder = FOLDER / "graded3"
stored = json.loads((folder / "result.json").read_text())
stored["layers"][0]["branches"] = [{"first": 0, "end": 7, "modes": 8, "complex": True},
                                   {"first": 5, "end": 12, "modes": 8, "complex": True}]
paper = FOLDER / "paper"
paper.mkdir()
(paper / "result.json").write_text(json.dumps(stored))
tables = json.loads((folder / "tables.json").read_text())
(paper / "tables.json").write_text(json.dumps(tables))
stored["hashes"]["tables_sha256"] = hashlib.sha256((paper / "tables.json").read_bytes()).hexdigest()
(paper / "result.json").write_text(json.dumps(stored))
rows = json.loads(dendrolith("report", paper, "--conventions", "--format", "json"))["conventions"]
formula = next(row for row in rows if row["name"] == "mmdend2025")
mean = {layer: np.abs(traces[layer + ":s"]).mean() for layer in ("L0", "L1")}
pairs = 14
flops = pairs * (3 * 8 + 1) * TICKS + (2 * pairs + 3 * 12) * TICKS
adds = TICKS * mean["L0"] * 96 + TICKS * mean["L1"] * 24  # T R = steps Ubar mean / Ubar
check(np.isclose(formula["per_sample_pJ"], 4.6 * flops + 0.9 * adds), "the formula by hand")
shown = dendrolith("report", paper, "--conventions")
print(shown)
check(f"{(4.6 * flops + 0.9 * adds) / 1e3:.3f}" in shown and "leaves out" in shown,
      "the report shows it")

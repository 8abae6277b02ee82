# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/driver/SiliconCommand.cpp,
# runtime/explore/silicon/Activity.cpp, runtime/explore/silicon/Workbench.cpp, runtime/explore/silicon/Compare.cpp, runtime/explore/silicon/SiliconText.cpp,
# runtime/explore/silicon/Parameters.cpp, runtime/explore/silicon/Calibrate.cpp, runtime/explore/silicon/FittedChip.cpp.
"""`dendrolith silicon` and `dendrolith calibrate`: predictions are those of a run, a fit finds the
numbers that measurements were made with, and nothing is compared with another network."""
import hashlib
import json

from command import ROOT, W, check, dendrolith, finish, refused

HEAD = """
sources:
  lab: {citation: a lab, repository: lab/data, licence: none,
        commit: 0123456789012345678901234567890123456789}
files:
  net.npz: {source: lab, path: net.npz, sha256: %s}
workloads:
  small: {generate: "--neurons 200 --steps 60 --recipe fanout=40,inputs=20", first_step: 10}
  large: {generate: "--neurons 800 --steps 60 --recipe fanout=40,inputs=20 --seed 3", first_step: 10}
  fetched: {fetched: net.npz}
measurements:
"""


def write(name, rows, digest="0" * 64):
    (W / name).write_text(HEAD % digest + "".join(
        "  - {chip: loihi2, source: lab, where: here, read: text, " + row + "}\n" for row in rows))
    return W / name


def silicon(*arguments):
    done = dendrolith("silicon", "--format", "json", *arguments)
    check(done.returncode == 0, f"{arguments}: {done.stderr}")
    return {row["id"]: row for row in json.loads(done.stdout)["rows"]} if done.stdout else {}


TIME = "quantity: time_step, unit: ns, scope: chip, "
ENERGY = "quantity: energy_step, unit: nJ, scope: chip, "
COUNT = "quantity: counter, unit: 1, scope: cores, counter: synops, cores: [0, 127], "

# What is predicted is what a run says.
found = silicon("--measured", write("one.yaml", [
    "id: T, workload: small, value: 1000, " + TIME,
    "id: E, workload: small, value: 1000, " + ENERGY,
    "id: N, workload: small, value: 1, " + COUNT,
    "id: P, value: 50, unit: mW, quantity: power_static, scope: chip",
    "id: C, workload: large, value: 128, unit: 1, quantity: cores, scope: cores",
    "id: F, workload: fetched, value: 1, " + TIME,
    "id: X, workload: large, value: 1, quantity: time_step, unit: ns, scope: board",
    "id: R, because: nobody knows, value: 3, unit: 1/s, quantity: rate, scope: chip"]))
prefix = W / "small"
dendrolith("generate", prefix, "--neurons", 200, "--steps", 60, "--recipe", "fanout=40,inputs=20")
ran = dendrolith("run", f"{prefix}.npz", "--target", "loihi2", "--engine", "cycle", "--out", W / "out")
check(ran.returncode == 0, ran.stderr)
result = json.loads((W / "out" / "result.json").read_text())
tables = json.loads((W / "out" / "tables.json").read_text())
steps = tables["latency"]["per_step_ns"]
synops = sum(result["counts"]["total"]["synops"][k] for k in ("dense", "sparse", "conv")) / 60 / 128
check(abs(found["N"]["predicted"]["low"] - synops) < 1e-6 * synops, "synaptic operations of a core")
check(0 < found["P"]["predicted"]["low"] <= found["P"]["predicted"]["high"], "static power is a band")
check(found["C"]["predicted"]["low"] == 128 and found["C"]["error"] == 0, "cores of the network")
for row in "TE":
    check("counter N differs" in found[row].get("because", ""), f"{row}: another activity is not compared")
check("not fetched" in found["F"]["because"], "a network that is not there")
check("scope is board" in found["X"]["because"], "a scope that is not modelled")
check(found["R"]["because"] == "nobody knows", "a row without a network")
same = [f"id: N, workload: small, value: {synops}, " + COUNT, "id: T, workload: small, value: 1000, " + TIME,
        "id: E, workload: small, value: 1000, " + ENERGY]
found = silicon("--measured", write("same.yaml", same))
system = result["latency"]["system"]["per_step_ns"]
check(abs(found["T"]["predicted"]["value"] - sum(steps[10:]) / 50 - system) < 1e-6,
      "the mean step behind the ramp, on its system")
check(abs(found["E"]["predicted"]["high"] - result["energy"]["high"]["total_pJ"] / 60e3) < 1e-6, "energy of a step")
check(abs(found["T"]["error"] - (found["T"]["predicted"]["value"] - 1000) / 1000) < 1e-9, "its error")

# Steps count from the first in which a neuron is updated, as they do on a chip: in relay's first
# step the host alone sends.
RELAY = ROOT / "models" / "relay"
(W / "relay.mlir").write_bytes((RELAY / "relay.mlir").read_bytes())
RUN = ["--placement", RELAY / "placement.yaml", "--input", RELAY / "x.npy"]
relay = write("relay.yaml", [f"id: R{k}, chip: tiny, workload: relay, value: 1, phase: [{k}, 2], " + TIME for k in (0, 1)])
relay.write_text(relay.read_text().replace("{chip: loihi2, ", "{").replace(
    "workloads:\n", "workloads:\n  relay: {model: relay.mlir, run: \"%s\"}\n" % " ".join(map(str, RUN))))
ran = dendrolith("run", W / "relay.mlir", "--target", "tiny", "--engine", "cycle", *RUN, "--out", W / "relay")
check(ran.returncode == 0, ran.stderr)
phases = json.loads((W / "relay" / "result.json").read_text())["schedule"]["populations"].values()
first = min(each["phase"] for each in phases)
steps = json.loads((W / "relay" / "tables.json").read_text())["latency"]["per_step_ns"][first:]
check(first == 1 and len(set(steps)) > 1, f"relay opens with a step of the host: {first}, {steps}")
found = silicon("--measured", relay)
for k in (0, 1):
    mean = sum(steps[k::2]) / len(steps[k::2])
    check(abs(found[f"R{k}"]["predicted"]["value"] - mean) < 1e-6, f"phase {k}: {found[f'R{k}']['predicted']}, {mean}")
check(found["R0"]["predicted"]["low"] == found["R0"]["predicted"]["high"], "a chip whose times have no ends has no band")

# The band of a time is that of all numbers with ends, each at its quicker or its slower one.
(W / "chips" / "banded").mkdir(parents=True)
NUMBER = "{value: %d, low: %d, high: %d, unit: %s, kind: assumed, source: lab}"
(W / "chips" / "banded" / "chip.yaml").write_text(
    "base: loihi1\nname: banded\ndescription: with ends\nsources: {lab: a lab}\ntiming:\n  davies2018:\n"
    f"    message_in: {NUMBER % (9000, 1500, 19000, 'ps')}\n"
    f"    noc: {{local: {{buffer: {NUMBER % (2, 1, 64, 'flits')}}}}}\n")


def small_on(*keys):
    rows = write("banded.yaml", ["id: T, workload: small, value: 1, " + TIME])
    rows.write_text(rows.read_text().replace("chip: loihi2", "chip: loihi1"))
    target = ",".join([str(W / "chips" / "banded"), *("timing.davies2018." + key for key in keys)])
    return silicon("--measured", rows, "--target", target)["T"]["predicted"]


found = small_on()
low = small_on("message_in=1500", "noc.local.buffer=64")["value"]
high = small_on("message_in=19000", "noc.local.buffer=1")["value"]
flits = [small_on("message_in=9000", f"noc.local.buffer={room}")["value"] for room in (64, 1)]
check(flits[0] < flits[1], f"less room in a buffer is slower: {flits}")
check(low < found["value"] < high and (found["low"], found["high"]) == (low, high),
      f"{found} between {low} and {high}")

# A chip with known numbers is measured, and a fit of another one finds them.
KEYS = "timing.scaled.barrier.formula.base=900000,timing.scaled.update_active=9000"
exact = {row: silicon("--measured", write("times.yaml", [
    "id: S, workload: small, value: 1, " + TIME, "id: L, workload: large, value: 1, " + TIME]),
    "--target", "loihi2," + KEYS)[row]["predicted"]["value"] for row in "SL"}
rows = write("exact.yaml", [f"id: {row}, workload: {name}, value: {exact[row]}, " + TIME
                            for row, name in (("S", "small"), ("L", "large"))])
FIT = ["--target", "loihi2", "--fit", "barrier.base=40000..4000000,update_active=1000..30000"]
done = dendrolith("calibrate", "--measured", rows, *FIT, "-o", W / "chips" / "fitted")
check(done.returncode == 0, done.stderr)
check("kind: fitted, source: rows" in (W / "chips/fitted/chip.yaml").read_text(), "numbers say that they are fitted")
found = silicon("--measured", rows, "--target", W / "chips" / "fitted")
check(all(abs(found[row]["error"]) < .03 for row in "SL"), f"the fitted chip predicts its rows: {found}")
check(all(abs(silicon("--measured", rows)[row]["error"]) > .3 for row in "SL"), "the shipped chip does not")

# What the system adds to a step is fitted by the same replays, as it is no part of the traffic.
SYSTEM = "timing.scaled.management.fixed.time=1300000"
system = {row: silicon("--measured", W / "times.yaml", "--target", "loihi2," + SYSTEM)[row]["predicted"]["value"]
          for row in "SL"}
rows = write("system.yaml", [f"id: {row}, workload: {name}, value: {system[row]}, " + TIME
                             for row, name in (("S", "small"), ("L", "large"))])
done = dendrolith("calibrate", "--measured", rows, "--target", "loihi2", "--fit", "management.fixed.time",
                  "--leave-one-out")
number = done.stdout.split("management.fixed.time")[1].splitlines()[0].split()[-1] if not done.returncode else "0"
check(abs(float(number) - 1300000) < 2000 and "2 row(s), 2 replays" in done.stdout, done.stdout + done.stderr)

# Prices are linear: two rows give two of them.
energy = write("energy.yaml", ["id: S, workload: small, value: 40, " + ENERGY,
                               "id: P, value: 214, unit: mW, quantity: power_static, scope: chip"])
done = dendrolith("calibrate", "--measured", energy, "--target", "loihi2", "--fit",
                  "costs.barriers,costs.static=100..300", "-o", W / "chips" / "priced")
check(done.returncode == 0, done.stderr)
found = silicon("--measured", energy, "--target", W / "chips" / "priced")
check(abs(found["P"]["error"]) < 1e-6 and found["S"]["in_band"], f"fitted prices: {found}")
text = (W / "chips/priced/costs-upper.yaml").read_text()
check("fitted by dendrolith calibrate to rows S, P of energy.yaml" in text, "tables name the rows")

# Rows that no value explains are listed; a network left out is predicted by the others.
more = write("more.yaml", [f"id: S, workload: small, value: {exact['S']}, " + TIME,
                           f"id: L, workload: large, value: {exact['L']}, " + TIME,
                           "id: Z, workload: small, value: 9000000, " + TIME])
done = dendrolith("calibrate", "--measured", more, "--target", "loihi2", "--fit",
                  "barrier.base=40000..4000000", "--leave-one-out")
check(done.returncode == 0 and "No values within the bands explain\n  Z time_step" in done.stdout, done.stdout + done.stderr)
check("left out" in done.stdout and "Mean error left out" in done.stdout, "leave-one-out is printed")

refused("more parameters than rows", 1, "calibrate", "--measured", energy, "--target", "loihi2", "--fit",
        "costs.barriers,costs.static,costs.synops.sparse", says=["3 parameter(s) of prices, but 2 row(s)"])
refused("a published number", 1, "calibrate", "--measured", rows, "--target", "loihi1", "--fit",
        "update_active", says=["update_active", "give its band"])
refused("no such number", 1, "calibrate", "--measured", rows, "--target", "loihi2", "--fit", "barier.base",
        says=["found none"])
refused("two numbers", 1, "calibrate", "--measured", rows, "--target", "loihi2", "--fit", "forward",
        says=["expected one number"])
refused("a wrong band", 1, "calibrate", "--measured", rows, "--target", "loihi2", "--fit", "update_active=9..1",
        says=["low end below the high one"])
bad = write("bad.yaml", ["id: S, workload: small, value: 1, " + TIME])
bad.write_text(bad.read_text().replace("fanout=40", "fanuot=40"))
refused("a workload that no command takes", 1, "silicon", "--measured", bad, says=["bad.yaml:8:", "fanuot"])
refused("no rows", 1, "silicon", "--measured", W / "none.yaml", says=["none.yaml"])

# A model of another digest is an error with its place, never a comparison.
models = W / "models"
models.mkdir()
(models / "net.npz").write_bytes((W / "small.npz").read_bytes())
(models / "net.json").write_bytes((W / "small.json").read_bytes())
other = write("other.yaml", ["id: F, workload: fetched, value: 1, " + TIME])
refused("another model", 1, "silicon", "--measured", other, "--models", models,
        says=["other.yaml:6:", "another file than was measured"])
digest = hashlib.sha256((W / "small.npz").read_bytes()).hexdigest()
found = silicon("--measured", write("right.yaml", ["id: F, workload: fetched, value: 1, " + TIME], digest),
                "--models", models)
check("predicted" in found["F"], f"a fetched model is run: {found}")
script = dendrolith("silicon", "--format", "sh").stdout
check("lava-nc/lava-dl" in script and "sha256sum --check" in script and "BSD-3-Clause" in script, script)

# The shipped rows: each that can be rebuilt here is compared or says why not.
found = silicon()
check(len(found) >= 42, f"{len(found)} shipped rows")
check("predicted" in found["L2-01"] and "not fetched" in found["L2-04"]["because"], "shipped rows")
finish()

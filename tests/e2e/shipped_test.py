# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/session/Run.cpp, runtime/driver/RunCommand.cpp.
"""The shipped network through the whole command line."""
import subprocess

from support import (FOLDER, DENDROLITH_OPT, ROOT, check, json, dendrolith, np, run,
                     tables_of, validate, without_host)

LIF = ROOT / "models" / "lif"
MODEL, X, Y = LIF / "shapes_lif.nir", LIF / "test_x.npy", LIF / "test_y.npy"
CALIBRATE = ["--calibrate", LIF / "calib_x.npy"]
CHIP = [MODEL, "--target", "loihi1", *CALIBRATE, "--input", X]

floating, read, _ = run("float", MODEL, "--input", X, "--labels", Y, "--engine",
                        "float")
cycle, outputs, _ = run("cycle", *CHIP, "--labels", Y, "--engine", "cycle")
gap = 100 * (cycle["score"]["value"] - floating["score"]["value"])
check(floating["score"]["value"] > 0.9 and abs(gap) <= 1.0,
      f"accuracy: float {100 * floating['score']['value']:.2f} %, Loihi 1 "
      f"{100 * cycle['score']['value']:.2f} %, difference {gap:+.2f} points")
check(read.shape == outputs.shape == (500, 32, 10), "(samples, steps, classes)")

energy, tables = cycle["energy"]["low"], tables_of(FOLDER / "cycle")
latency, run_ps = tables["samples"]["latency_ns"], cycle["times"]["run_ps"]
check(energy["bound"] == ">=" and energy["total_pJ"] > 0 and
      abs(sum(e["energy_pJ"] or 0 for e in energy["by_event"].values()) -
          energy["total_pJ"]) < 1e-6 * energy["total_pJ"],
      "the total is the sum of its events, a lower bound")
check(cycle["energy"]["high"] == energy, "one table prices both ends")
check(len(latency) == 500 and run_ps == round(1000 * sum(latency)),
      "the run's time is the sum of the samples")
check(abs(sum(tables["latency"]["per_step_ns"]) * 500 * 1000 - run_ps) < 1e-6 * run_ps,
      "steps add up to the samples")
summary, ranked = cycle["summary"], sorted(latency)
spread = dict(summary["latency_per_sample_ns"])
interval = spread.pop("interval")
check(interval["low"] < sum(latency) / 500 < interval["high"], "and its interval")
check(spread ==
      {"mean": sum(latency) / 500, "p50": ranked[249], "p95": ranked[474], "min": ranked[0],
       "max": ranked[-1]}, "percentiles are samples")
labels = np.load(Y)
check(tables["samples"]["predicted"] == outputs.sum(1).argmax(1).tolist() and
      tables["samples"]["correct"] == (outputs.sum(1).argmax(1) == labels).tolist() and
      np.mean(tables["samples"]["correct"]) == summary["score"]["value"],
      "what was answered, by sample")
check(summary["score"]["low"] < summary["score"]["value"] < summary["score"]["high"],
      "the accuracy has an interval")
events, still = summary["energy_per_sample_pJ"], summary["static_per_sample_pJ"]
check(np.isclose(events["low"], energy["total_pJ"] / 500) and events["bound"] == ">=" and
      np.isclose(still["high"], energy["static_pJ"] / 500), "energy of a sample")
together = events["low"] + still["low"]
system = summary["system_latency_per_sample_ns"]["mean"]
check(np.isclose(system - np.mean(latency), cycle["steps"] * cycle["latency"]["system"]["per_step_ns"]) and
      system > np.mean(latency), "the system adds the same to every step")
check(np.isclose(summary["edp_pJ_ns"]["low"], together * system) and
      np.isclose(summary["J_per_correct"]["low"],
                 together * 1e-12 / summary["score"]["value"]) and
      np.isclose(summary["throughput_per_s"], 1e9 / system) and
      np.isclose(summary["pJ_per_synop"]["low"] *
                 sum(cycle["counts"]["total"]["synops"][kind] for kind in
                     ("dense", "sparse", "conv")), energy["total_pJ"]),
      "what follows from energy, time and score")

again, same, _ = run("cycle", *CHIP, "--labels", Y, "--engine", "cycle")
check(without_host(again) == without_host(cycle) and np.array_equal(same, outputs),
      "a second run gives the same result")

some = FOLDER / "some.npy"
np.save(some, np.load(X)[:40])
results = [run(f"threads{n}", *CHIP[:-1], some, "--threads", n)
           for n in (1, 2, 4)]
check(all(without_host(r[0]) == without_host(results[0][0]) and
          np.array_equal(r[1], results[0][1]) for r in results),
      "1, 2 and 4 threads give the same result")

single = FOLDER / "single.npy"
np.save(single, np.load(X)[0])
_, one, _ = run("single", *CHIP[:-1], single)
check(one.shape == (32, 10) and np.array_equal(one, outputs[0]),
      "an input without a sample axis gives outputs without one")

image, second = FOLDER / "p.dlp", FOLDER / "q.dlp"
compiled = [MODEL, "--target", "loihi1", *CALIBRATE, "-o"]
dendrolith("compile", *compiled, image)
dendrolith("compile", *compiled, second)
check(image.read_bytes() == second.read_bytes(), "compiling twice: same bytes")
from_image, through, _ = run("image", image, "--input", some)
check(np.array_equal(through, outputs[:40]) and
      from_image["counts"] == results[0][0]["counts"],
      "the image gives what the model gives")

repriced = json.loads(dendrolith("report", FOLDER / "cycle", "--costs",
                              "silicon-fit-2025", "--format", "json"))
direct, _, _ = run("direct", *CHIP, "--engine", "cycle", "--costs",
                   "silicon-fit-2025")
check(repriced["energy"] == direct["energy"] and
      repriced["energy"]["low"]["total_pJ"] != energy["total_pJ"],
      "report at other prices equals a run at those prices")

text = FOLDER / "net.mlir"
text.write_text(dendrolith("compile", MODEL, *CALIBRATE, "--emit", "dend"))
bytecode = FOLDER / "net.mlirbc"
subprocess.run([DENDROLITH_OPT, text, "--emit-bytecode", "-o", bytecode], check=True)
for name, path in (("text", text), ("bytecode", bytecode)):
    _, there, _ = run(name, path, "--target", "loihi1", *CALIBRATE, "--input",
                      some)
    check(np.array_equal(there, outputs[:40]), f"the same from {name}")

graded = FOLDER / "graded.npy"
np.save(graded, np.load(X)[:60] * np.linspace(0.4, 1.0, 32))
_, ideal, _ = run("ideal", MODEL, "--input", graded, "--engine", "cycle",
                  "--verify")
_, real, _ = run("real", MODEL, "--input", graded, "--engine", "float")
agree = np.mean(ideal.sum(1).argmax(1) == real.sum(1).argmax(1))
check(agree >= 0.85, f"graded input on 'ideal': {100 * agree:.0f} % same class")

# Loihi 1's neuron as a program: the same integers on another kind of core, whose
# energy is a band.
two, there, _ = run("loihi2", MODEL, "--target", "loihi2", *CALIBRATE, "--input", some,
                    "--engine", "cycle", "--verify")
check(np.array_equal(there, outputs[:40]), "the same outputs on loihi2")
check(two["counts"]["total"]["microcode"]["issue"] > 0 and
      two["counts"]["total"]["spikes"] == results[0][0]["counts"]["total"]["spikes"],
      "by programs, with the same spikes")
band = two["energy"]
check(0 < band["low"]["total_pJ"] < band["high"]["total_pJ"], "its energy is a band")
again = json.loads(dendrolith("report", FOLDER / "loihi2", "--format", "json"))
check(validate(again)["energy"] == band, "report gives the same band")

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests simulator/report/result/Result.cpp, simulator/report/result/Summary.cpp,
# simulator/report/result/Pricing.cpp, simulator/report/result/ResultFolder.cpp,
# runtime/session/RunReport.cpp, runtime/session/ResultFiles.cpp and
# runtime/result.schema.json.
"""A result has the same keys on every chip and engine, null where nothing is known, and
stands on its own: run on several targets and engines, held against the schema, changed
and read again."""
import hashlib
import json
import shutil
import subprocess
import sys

from support import (FOLDER, DENDROLITH, ROOT, check, jsonschema, dendrolith, np, result_of, run,
                     tables_of, validate)

LIF, NEURON = ROOT / "models/lif", ROOT / "models/neurons/lif.mlir"
np.save(FOLDER / "x.npy", np.load(LIF / "test_x.npy")[:4])
np.save(FOLDER / "y.npy", np.load(LIF / "test_y.npy")[:4])
np.save(FOLDER / "four.npy", np.random.default_rng(1).integers(0, 2, (2, 20, 4)).astype(float))
JUDGED = ["--input", FOLDER / "x.npy", "--labels", FOLDER / "y.npy"]
TRAINED = [LIF / "shapes_lif.nir", "--calibrate", LIF / "calib_x.npy", *JUDGED]
CASES = {  # the engines of each
    "ideal": ("float", "reference", "functional", "cycle"),
    "loihi1": ("reference", "functional", "cycle"),
    "loihi2": ("functional", "cycle"),
    "loihi2,mesh.tiles_x=5": ("functional",),
}


def keys(value, name=""):
    """Names of members, but for those that a network or a chip names."""
    named = {"policies", "populations", "spike_values", "u_wrapped", "v_clipped",
             "states_at_end", "by_event", "sources", "closed_by", "total", "host", "cores",
             "rewrites", "quantisation", "layers", "fit", "mapping", "warnings",
             "ActivationSparsityByLayer"}
    if not isinstance(value, dict) or name.rsplit(".", 1)[-1] in named:
        return {name}
    return {name} | {key for part, inner in value.items()
                     for key in keys(inner, f"{name}.{part}")}


results, tables = {}, {}
for target, engines in CASES.items():
    for engine in engines:
        name = f"{target}-{engine}"
        results[name], _, _ = run(name, *TRAINED, "--target", target, "--engine", engine)
        tables[name] = tables_of(FOLDER / name)
results["neuron"], _, _ = run("neuron", NEURON, "--target", "loihi2", "--input",
                              FOLDER / "four.npy")
tables["neuron"] = tables_of(FOLDER / "neuron")
first = results["loihi1-cycle"]
for name, result in results.items():
    check(list(result) == list(first) and list(result["summary"]) == list(first["summary"]),
          f"{name}: the same {len(first)} keys, {len(first['summary'])} in the summary")
    # What is there has the same members; what is not is null.
    for key in result:
        if result[key] is not None and first[key] is not None:
            left, right = keys(result[key], key), keys(first[key], key)
            for other in left ^ right:  # below a null
                assert any(other.startswith(k + ".") for k in left & right), (name, other)
    check(list(tables[name]) == list(tables["loihi1-cycle"]), f"{name}: tables")

# Nothing is 0 that was not counted or measured as 0.
for name, result in results.items():
    timed, counts = name.endswith("cycle"), name.split("-")[-1] not in ("float", "reference")
    for key in ("times", "latency", "utilisation"):
        check((result[key] is not None) == timed, f"{name}: {key}")
    for key in ("counts", "energy", "costs", "spike_values", "saturations"):
        check((result[key] is not None) == counts, f"{name}: {key}")
    bench = result["neurobench"]
    check((bench is not None) == (counts or result["engine"] == "float") and
          (bench is None or (bench["integer"] is not None) == counts), f"{name}: neurobench")
    summary = result["summary"]
    check((summary["latency_per_sample_ns"] is not None) == timed, f"{name}: no time, no latency")
    # A chip that takes no time has no rate.
    check((summary["throughput_per_s"] is not None) == (timed and "ideal" not in name),
          f"{name}: no time, no rate")
    check((result["target"] is None) == (result["engine"] == "float"), f"{name}: chip")
    check(len(result["model"]["sha256"]) == 64 and result["policies"], f"{name}: model and choices")
    silicon = result["silicon"]
    check((silicon is None) == ("ideal" in name or result["target"] is None), f"{name}: silicon")
    for key in ("area_mm2", "leakage_mW") if silicon else ():
        for end in ("low", "high"):
            parts = sum(part[key][end] for part in silicon["parts"])
            check(abs(parts - silicon[key][end]) < 1e-9 * parts, f"{name}: {key} of parts")
ideal = results["ideal-cycle"]["summary"]["energy_per_sample_pJ"]
check(ideal["low"] is ideal["high"] is ideal["bound"] is None and ideal["unpriced"],
      "a chip without prices has no energy, and says what is unpriced")
printed = dendrolith("run", *TRAINED)
check("Energy: not known" in printed and "0 pJ" not in printed, "nor does the text")
band = results["loihi2-cycle"]["summary"]["energy_per_sample_pJ"]
check(0 < band["low"] < band["high"], "a band has two ends")
changed = results["loihi2,mesh.tiles_x=5-functional"]["summary"]["overrides"]
check([row["key"] for row in changed] == ["mesh.tiles_x"] and changed[0]["value"] == "5" and
      changed[0]["was"] not in ("", "5"), f"a changed chip says so: {changed}")
check(all(not results[name]["summary"]["overrides"] for name in results if "=" not in name),
      "others do not")
beside, _, _ = run("beside", *TRAINED, "--target", "loihi1", "--compare", "float")
check(beside["summary"]["float_score"] == results["ideal-float"]["score"] and
      list(beside["compare"]["score"]) == list(beside["score"]), "the float score beside it")

# The schema refuses what is not so.
if jsonschema:
    for change in ({"schema": 1}, {"samples": 0}, {"accuracy": 1}, {"energy": 0},
                   {"peak_rss_bytes": -1}, {"summary": {}}):
        try:
            validate({**first, **change})
        except jsonschema.ValidationError:
            continue
        check(False, f"the schema takes {change}")

# Hashes are those of the files beside it.
for key, file in (("outputs", "outputs.npy"), ("tables", "tables.json")):
    data = (FOLDER / "loihi1-cycle" / file).read_bytes()
    check(first["hashes"][key + "_sha256"] == hashlib.sha256(data).hexdigest(), f"hash of {file}")
check(first["hashes"]["traces_sha256"] is None, "and of nothing else")
classes = np.load(FOLDER / "loihi1-cycle/predicted.npy")
answered = np.load(FOLDER / "loihi1-cycle/outputs.npy").sum(1).argmax(1)
check(np.array_equal(classes, answered), "predicted.npy has the class of each sample")
matrix, labels = np.zeros((10, 10), int), np.load(FOLDER / "y.npy")
np.add.at(matrix, (labels, classes), 1)
check(first["confusion"] == {"classes": 10, "counts": matrix.tolist()}, "and the matrix theirs")


def refused(folder, *parts, flags=()):
    done = subprocess.run([DENDROLITH, "report", str(folder), *flags], capture_output=True,
                          text=True)
    return done.returncode == 1 and all(part in done.stderr for part in parts)


# Report gives what the run gave, with its tables and without, and refuses others'.
again = json.loads(dendrolith("report", FOLDER / "loihi1-cycle", "--format", "json"))
check(again == result_of(FOLDER / "loihi1-cycle"), "report changes nothing")
alone = FOLDER / "alone"
alone.mkdir()
shutil.copy(FOLDER / "loihi1-cycle/result.json", alone)
lonely = json.loads(dendrolith("report", alone, "--format", "json"))
check(lonely["energy"]["per_sample_pJ"] is None, "samples are told apart by tables.json")
lonely["energy"]["per_sample_pJ"] = again["energy"]["per_sample_pJ"]
check(lonely == again, "for all else result.json is enough")
shutil.copy(FOLDER / "loihi1-functional/tables.json", alone)
wrong = hashlib.sha256((alone / "tables.json").read_bytes()).hexdigest()
for flags in ([], ["--by", "event"]):
    check(refused(alone, "tables.json: not the file of the result.json beside it", wrong,
                  first["hashes"]["tables_sha256"], flags=flags), f"tables of another run {flags}")
(alone / "tables.json").unlink()

# A folder that lost a part is refused, but where the part does not matter.
shutil.copy(FOLDER / "loihi1-cycle/tables.json", alone)
check(refused(alone, "outputs.npy: expected the file with SHA-256",
              first["hashes"]["outputs_sha256"], "found none"), "no outputs beside tables")
check(dendrolith("report", alone, "--by", "layer") ==
      dendrolith("report", FOLDER / "loihi1-cycle", "--by", "layer"), "--by does without them")
shutil.copy(FOLDER / "ideal-float/outputs.npy", alone)
check(refused(alone, "outputs.npy: not the file", flags=["--by", "layer"]),
      "others' outputs are refused even there")
for name in ("tables.json", "outputs.npy"):
    (alone / name).unlink()
for change, *parts in (({"samples": 0}, "samples: expected at least 1"),
                       ({"samples": -3}, "samples"),
                      
                       ({"counts": {}}, "counts: ")):
    (alone / "result.json").write_text(json.dumps({**first, **change}))
    check(refused(alone, *parts), f"an edited result is refused: {change}")
check("4 samples of 32 ticks in the float engine" in dendrolith("report", FOLDER / "ideal-float"),
      "a float result is reported")
bad = subprocess.run([DENDROLITH, "report", FOLDER / "ideal-float", "--costs", "x"],
                     capture_output=True, text=True)
check(bad.returncode == 1 and "nothing to price" in bad.stderr, "but not priced")

# A result of another schema is refused.
for schema in (1, 3, None):
    (alone / "result.json").write_text(json.dumps({**first, "schema": schema}))
    check(refused(alone, "schema: expected 2, found"), f"so is one of schema {schema}")
unnamed = []
for key in set(first) - {"schema", "board"}:
    (alone / "result.json").write_text(json.dumps({name: value for name, value in first.items() if name != key}))
    if not refused(alone, f"expected a member '{key}', found none"):
        unnamed.append(key)
check(not unnamed, f"each key that is missing is named, but for {unnamed}")
if not jsonschema:
    sys.exit(77)

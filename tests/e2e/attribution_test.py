# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests simulator/events/Counts.cpp, simulator/events/Expansion.cpp,
# simulator/events/SampleCounter.cpp, simulator/report/result/Pricing.cpp, simulator/report/text/PartTables.cpp.
"""Recounts five shipped networks from what a run has written: layers, cores,
flows and samples add up to the totals, counts as integers and energies as
decimal numbers, to the last digit and in both engines."""
import json
import re
import subprocess
from decimal import Decimal

from support import (FOLDER, DENDROLITH, ROOT, check, dendrolith, np, result_of,
                     tables_of)

MODELS = ROOT / "models"


def part(path, samples):
    """The first samples of an array of inputs."""
    out = FOLDER / f"{path.parent.name}-{path.name}"
    np.save(out, np.load(path)[:samples])
    return out


LIF = part(MODELS / "lif/test_x.npy", 12)
NETWORKS = {
    "lif": [MODELS / "lif/shapes_lif.nir", "--target", "loihi1", "--input", LIF,
            "--calibrate", MODELS / "lif/calib_x.npy"],
    "relay": [MODELS / "relay/relay.mlir", "--target", "tiny", "--placement",
              MODELS / "relay/placement.yaml", "--input", MODELS / "relay/x.npy"],
    "mmdend": [MODELS / "mmdend/sparse.npz", "--target", "loihi2", "--input",
               part(MODELS / "mmdend/test_x.npy", 6),
               "--calibrate", MODELS / "mmdend/calib_x.npy"],
    "dendricl": [MODELS / "dendricl/d10.npz", "--target", "loihi2", "--input",
                 part(MODELS / "dendricl/test_d10_x.npy", 4),
                 "--calibrate", MODELS / "dendricl/calib_d10_x.npy"],
    "netx": [MODELS / "netx/shapes.net", "--target", "loihi1", "--input", LIF],
}
ENDS = ("low", "high")


def flat(counts, name=""):
    if not isinstance(counts, dict):
        return {name: counts}
    return {key: value for key, inner in counts.items()
            for key, value in flat(inner, f"{name}.{key}" if name else key).items()}


def read(path):
    return json.loads(path.read_text(), parse_float=Decimal)


def add(rows):
    total = {}
    for row in rows:
        for key, value in row.items():
            total[key] = total.get(key, 0) + value
    return {key: value for key, value in total.items() if value}


def prices(result, end):
    return {event: Decimal(entry["price_pJ"])
            for event, entry in result["energy"][end]["by_event"].items()
            if entry["price_pJ"] is not None}


def energy(counts, price):
    return sum((price[event] * count for event, count in counts.items()
                if event in price), Decimal(0))


def recount(name, result, tables):
    counts = result["counts"]
    total = {key: value for key, value in flat(counts["total"]).items()
             if value and key not in ("tiles", "stalls")}
    layers = [row for row in result["layers"] if row["counts"] is not None]
    check(add(flat(row["counts"]) for row in layers) == total,
          f"{name}: {len(layers)} layers add up to all {len(total)} counters")
    kinds = {row["kind"] for row in layers}
    check(kinds == {"population", "input", "chip"}, f"{name}: of all kinds")

    samples = result["samples"]
    columns = tables["samples"]["counts"]
    check(all(len(column) == samples for column in columns.values()),
          f"{name}: {samples} samples")
    events = {event: sum(column) for event, column in columns.items()}
    check(events == {event: total[event] for event in columns} and
          {event for event, entry in result["energy"]["low"]["by_event"].items()
           if entry["count"]} - set(columns) <= {"resets"},
          f"{name}: samples add up to all {len(events)} events but resets")

    for end in ENDS:
        price = prices(result, end)
        whole = Decimal(result["energy"][end]["total_pJ"])
        check(whole == energy(total, price) and whole > 0,
              f"{name}: {whole} pJ is counts times prices")
        of = lambda row: Decimal((row["energy_pJ"] or {end: 0})[end])
        check(all(of(row) == energy(flat(row["counts"]), price) for row in layers) and
              sum(map(of, layers)) == whole, f"{name}: the same by layer")
        resets = energy({"resets": samples}, price)
        each = [Decimal(x or 0) for x in tables["samples"]["energy_pJ"][end]]
        check(sum(each) + resets == whole, f"{name}: the same by sample")
        check(all(x == energy({event: column[s] for event, column in columns.items()},
                              price) for s, x in enumerate(each)),
              f"{name}: each sample by its counts")

    # What a layer has of its flows, it sends or serves.
    flows = tables["flows"]
    served = ("axon_reads", "synmem_words", "synops")
    way = ("messages", "flits", "hops_ew", "hops_ns", "within_tile", "outputs", "host")
    for row in layers:
        if row["kind"] == "chip":
            continue
        mine = {key: value for key, value in flat(row["counts"]).items()
                if value and key.split(".")[0] in served + way}
        caused = add({key: value for key, value in flat(flow["counts"]).items()
                      if key.split(".")[0] in keys}
                     for keys, side in ((way, "source"), (served, "target"))
                     for flow in flows if flow[side] == row["population"])
        check(mine == caused, f"{name}: {row['population']} has what its flows have")


for name, arguments in NETWORKS.items():
    runs = {}
    for engine in ("functional", "cycle"):
        out = FOLDER / f"{name}-{engine}"
        dendrolith("run", *arguments, "--engine", engine, "--out", out)
        result_of(out), tables_of(out)  # valid, before numbers become decimals
        runs[engine] = read(out / "result.json"), read(out / "tables.json")
        recount(f"{name}, {engine}", *runs[engine])
    one, other = runs["functional"], runs["cycle"]
    check(one[0]["layers"] == other[0]["layers"] and one[1]["flows"] == other[1]["flows"]
          and all(one[1]["samples"][key] == other[1]["samples"][key]
                  for key in ("counts", "energy_pJ")), f"{name}: in both engines")

for by in ("layer", "core", "event", "sample"):
    text = dendrolith("report", FOLDER / "lif-cycle", "--by", by)
    samples = read(FOLDER / "lif-cycle/result.json")["samples"]
    check(by == "sample" or text.startswith(f"Totals of the run of {samples} samples"),
          f"report --by {by} says what its totals are of")
    shares = [float(line.split(" %")[0].split()[-1]) for line in text.splitlines()
              if " %" in line and "Mean" not in line]
    rows = shares[:shares.index(100.0)]
    check(rows == sorted(rows, reverse=True) and abs(sum(rows) - 100) < 0.1 * len(rows),
          f"report --by {by}: {len(rows)} rows, largest first, 100 % together")
# --per divides: energies and counts of the run by its samples, or by its steps.
whole = read(FOLDER / "lif-cycle/result.json")
parts = {"run": 1, "sample": whole["samples"], "step": whole["counts"]["total"]["steps"]}
totals = {}
for per, count in parts.items():
    text = dendrolith("report", FOLDER / "lif-cycle", "--by", "event", "--per", per)
    number, unit = text.splitlines()[-1].split()[-1], re.search(r"energy \((\w+)\)|high \((\w+)\)", text)
    scale = {"mJ": 1e9, "uJ": 1e6, "nJ": 1e3, "pJ": 1}[unit[1] or unit[2]]
    totals[per] = float(number) * scale * count
    check(per == "run" or text.startswith(f"Of one {per}, the mean of "), f"--per {per} says so")
total = float(whole["energy"]["high"]["total_pJ"])
check(all(abs(value / total - 1) < 1e-2 for value in totals.values()), f"--per {totals} of {total}")
refused = subprocess.run([DENDROLITH, "report", FOLDER / "lif-cycle", "--per", "sample"],
                         capture_output=True, text=True)
check(refused.returncode == 2 and "--by" in refused.stderr, "--per needs --by")
again = json.loads(dendrolith("report", FOLDER / "lif-cycle", "--costs", "silicon-fit-2025",
                           "--format", "json"), parse_float=Decimal)
check(sum(Decimal((row["energy_pJ"] or {"low": 0})["low"]) for row in again["layers"]) ==
      Decimal(again["energy"]["low"]["total_pJ"]) !=
      Decimal(read(FOLDER / "lif-cycle/result.json")["energy"]["low"]["total_pJ"]),
      "layers are priced again with the run")
check(subprocess.run([DENDROLITH, "report", FOLDER / "lif-cycle", "--by", "tile"],
                     capture_output=True).returncode != 0, "--by of something else")

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How complex should a neuron be at a fixed budget, in parameters and in picojoules?

    python3 tradeoff.py --dendrolith ../../build/bin/dendrolith --figure tradeoff.svg
    python3 tradeoff.py --dendrolith ../../build/bin/dendrolith --drawn 2000 --nets '*_binary'

Runs every network of family/ on all samples of the committed test set, in float
and on the chip in the cycle engine, prints a table per budget and the optima over
k_e, and draws the curves from the same numbers.  With --drawn, it tells chip and float
apart on that many samples drawn like the test set: 400 tell no point from chance.  What a network gave is kept in
--results, if that is said, and taken from there the next time.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import figure
import reference
import task
from markdown import header, row as line

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS = ("network", "N", "k_e", "float %", "chip %", "95 %", "spikes", "messages", "synops",
           "events uJ", "static uJ", "together uJ", "uJ per right answer", "latency us", "cores")


def complexity(params):
    """k_e = #w_p + #w_r of a neuron (section 3 of the paper)."""
    found = sum(params[f"rec_{name}"][0].size for name in ("W1", "b1", "W2", "b2")
                if f"rec_{name}" in params)
    return found + params["rec_wr"].shape[1]


def on_chip(dendrolith, target, path, folder, samples=HERE, engine="cycle"):
    """result.json of a network on the samples of a folder.  Adaptive rounding keeps the
    scores of ReLU networks nearer to those in float than the nearest integers do."""
    subprocess.run([dendrolith, "run", path, "--target", target, "--calibrate", HERE / "calib_x.npy",
                    "--input", samples / "test_x.npy", "--labels", samples / "test_y.npy", "--engine",
                    engine, "--round", "adaptive", "--compare", "float", "--out", folder],
                   check=True, capture_output=True, text=True)
    return json.loads((folder / "result.json").read_text())


def measured(path, result):
    """The numbers of a row, per sample."""
    params, n = reference.load(path), result["samples"]
    counts, summary = result["counts"]["total"], result["summary"]
    meta, score = params["meta"], result["score"]
    events, static = ([summary[f"{part}_per_sample_pJ"][end] / 1e6 for end in ("low", "high")]
                      for part in ("energy", "static"))
    both = [a + b for a, b in zip(events, static)]
    return {
        "network": path.stem, "budget": meta.get("budget"), "out": meta["out"],
        "batches": meta["steps"],
        "N": len(params["rec_b"]), "k_e": complexity(params),
        "float": result["compare"]["score"]["value"], "chip": score["value"],
        "interval": [score["low"], score["high"]],
        "spikes": (counts["spikes"]["graded"] + counts["spikes"]["binary"]) / n,
        "messages": counts["messages"] / n,
        "synops": sum(counts["synops"][kind] for kind in ("dense", "sparse", "conv")) / n,
        "events": events, "static": static, "both": both,
        "per_right": [end / score["value"] if score["value"] else None for end in both],
        "latency": summary["latency_per_sample_ns"]["mean"] / 1e3, "cores": summary["cores"]}


def span(ends, digits=3):
    return " to ".join(f"{end:.{digits}g}" for end in ends)


def cells(row):
    return (row["network"], row["N"], row["k_e"], f"{100 * row['float']:.2f}",
            f"{100 * row['chip']:.2f}", "{:.1f} to {:.1f}".format(*(100 * e for e in row["interval"])),
            f"{row['spikes']:.0f}", f"{row['messages']:.0f}", f"{row['synops']:.0f}",
            span(row["events"]), span(row["static"]), span(row["both"]), span(row["per_right"]),
            f"{row['latency']:.2f}", row["cores"])


def curves(rows):
    """Rows by (budget, output, batches of training), rising in k_e; seeds of one split become a mean, with
    the standard deviation of their scores where there are several."""
    found = {}
    for row in rows:
        if row["budget"]:
            found.setdefault((row["budget"], row["out"], row["batches"]), {}).setdefault(row["k_e"], []).append(row)
    for key, splits in sorted(found.items()):
        yield key, [{
            "k_e": k_e, "N": same[0]["N"], "seeds": len(same),
            "chip": np.mean([row["chip"] for row in same]),
            "sd": np.std([row["chip"] for row in same], ddof=1) if len(same) > 1 else None,
            # A single network has the interval of its test samples.
            "interval": (same[0]["interval"] if len(same) == 1 else None),
            "both": np.mean([row["both"] for row in same], axis=0),
            "per_right": np.mean([row["per_right"] for row in same], axis=0),
        } for k_e, same in sorted(splits.items())]


def optima(curve):
    """The splits with the best score, the least energy of a sample, and the least of
    a right answer, at either end of the band."""
    return {
        "score": max(curve, key=lambda p: p["chip"]),
        "uJ, low": min(curve, key=lambda p: p["both"][0]),
        "uJ, high": min(curve, key=lambda p: p["both"][1]),
        "uJ per right answer, low": min(curve, key=lambda p: p["per_right"][0]),
        "uJ per right answer, high": min(curve, key=lambda p: p["per_right"][1])}


def report(rows):
    header(*COLUMNS)
    for row in sorted(rows, key=lambda r: (r["budget"] or 0, r["out"], r["k_e"], r["network"])):
        line(*cells(row))
    print()
    header("budget", "output", "batches", "seeds", "optimum of", "k_e", "N", "score %", "together uJ")
    for (budget, out, batches), curve in curves(rows):
        for what, point in optima(curve).items():
            spread = f" (sd {100 * point['sd']:.1f})" if point["sd"] is not None else ""
            line(budget, out, batches, point["seeds"], what, point["k_e"], point["N"],
                  f"{100 * point['chip']:.1f}{spread}", span(point["both"]))


def apart(options, paths, folder):
    """A row for each network: its scores on `options.drawn` samples, in float and on the
    chip, whose integers are the same in both engines."""
    pairs = task.Pool(task.SEED_TEST, 2 * options.drawn).pairs(options.drawn)
    for part, values in zip("xy", pairs):
        np.save(folder / f"test_{part}.npy", values)
    header("network", "samples", "float %", "chip %", "apart")
    for path in paths:
        result = on_chip(options.dendrolith, options.target, path, folder / path.stem, folder, "functional")
        scores = [100 * result["compare"]["score"]["value"], 100 * result["score"]["value"]]
        line(path.stem, result["samples"], *(f"{s:.2f}" for s in (*scores, abs(scores[1] - scores[0]))))


def draw(rows, path):
    """The score and the energy over k_e, a curve per budget and output."""
    drawn = list(curves(rows))
    points = [point for _, curve in drawn for point in curve]
    k_e = sorted({point["k_e"] for point in points})
    x = (k_e[0] / 1.2, k_e[-1] * 1.2)
    low, high = min(p["both"][0] for p in points), max(p["both"][1] for p in points)
    score = figure.Panel(0, "Score on the chip, % (* best of a curve)", x, (0, 100), False)
    energy = figure.Panel(1, "Events and static, uJ per sample, low to high (v least)", x,
                          (low * 0.95 ** (len(drawn) + 2), high * 1.1), True)
    label = "k_e: parameters of a neuron without its synapses"
    score.ticks(k_e, range(0, 101, 20), label)
    energy.ticks(k_e, [v for v in (0.1, 0.3, 1, 3, 10, 20, 30, 40, 50, 100) if low < v < high], label)
    for i, ((budget, out, batches), curve) in enumerate(drawn):
        colour, dashed = figure.COLOURS[i % len(figure.COLOURS)], out == "binary"
        score.path([(p["k_e"], 100 * p["chip"]) for p in curve], colour, dashed)
        for p in curve:
            ends = p["interval"] or (p["chip"] - p["sd"], p["chip"] + p["sd"])
            score.path([(p["k_e"], 100 * end) for end in ends], colour, False, 0.7)
        lower, upper = ([(p["k_e"], p["both"][end]) for p in curve] for end in (0, 1))
        energy.band(lower, upper, colour)
        energy.path(lower, colour, dashed)
        energy.path(upper, colour, dashed)
        best, place = optima(curve), low * 0.95 ** (i + 1)
        score.mark(best["score"]["k_e"], 100 * best["score"]["chip"], colour, "*")
        for end, what in enumerate(("uJ, low", "uJ, high")):
            energy.mark(best[what]["k_e"], best[what]["both"][end], colour, "v")
        energy.mark(x[0] * 1.25, place, colour, "&#8212;")
        right, down = energy.at(x[0] * 1.5, place * 0.98)
        energy.text(right, down, f"{budget} parameters, {out}, {batches} batches, up to {max(p['seeds'] for p in curve)} seed(s)")
    path.write_text(figure.page([score, energy]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--dendrolith", required=True, help="the command to run")
    parser.add_argument("--target", default="loihi2")
    parser.add_argument("--family", type=pathlib.Path, default=HERE / "family")
    parser.add_argument("--nets", default="*", help="pattern of their names")
    parser.add_argument("--drawn", type=int, metavar="N", help="only scores, on N samples drawn anew")
    parser.add_argument("--results", type=pathlib.Path, help="folder of rows already measured")
    parser.add_argument("--figure", type=pathlib.Path, help="the curves, as SVG")
    options = parser.parse_args()
    rows, paths = [], sorted(options.family.glob(options.nets + ".npz"))
    with tempfile.TemporaryDirectory() as folder:
        if options.drawn:
            return apart(options, paths, pathlib.Path(folder))
        for path in paths:
            kept = options.results and options.results / f"{path.stem}.json"
            if kept and kept.exists():
                rows.append(json.loads(kept.read_text()))
                continue
            try:
                result = on_chip(options.dendrolith, options.target, path, pathlib.Path(folder) / path.stem)
            except subprocess.CalledProcessError as error:
                sys.exit(f"{path}: {error.stderr.strip()}")
            rows.append(measured(path, result))
            if kept:
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_text(json.dumps(rows[-1]))
    if not rows:
        sys.exit(f"{options.family}: expected checkpoints ({options.nets}.npz), found none")
    report(rows)
    if options.figure:
        draw(rows, options.figure)


if __name__ == "__main__":
    main()

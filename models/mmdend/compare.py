# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints MMDEND's comparisons (Figure 5, Table 4 of the paper) for the networks here.

    python3 compare.py --dendrolith ../../build/bin/dendrolith             # the networks
    python3 compare.py --dendrolith ../../build/bin/dendrolith --grouping  # with and without
    python3 compare.py --dendrolith ../../build/bin/dendrolith --trained OUT --nets k1 k2

Scores are those of all test images; counts are per sample, by the cycle engine.
`Formula` is the paper's, section 5.4: E_MAC Flops_neu + T R E_AC Flops_layer with
Table 4's operations, which has no line for neurons that are stepped.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import baselines  # noqa: E402
import reference  # noqa: E402
import reference_io  # noqa: E402

MAC_PJ, ADD_PJ = 4.6, 0.9  # FP32 at 45 nm, as the paper takes them
NETS = ("sparse dense j2 j6 single ternary lif plif klif glif sliding_psn masked_psn "
        "psn pmsn tclif").split()


def run(dendrolith, model, folder, *more):
    """The result of a run on loihi2, with the paper's formula where it applies."""
    command = [dendrolith, "run", model, "--target", "loihi2", "--engine", "cycle",
               "--calibrate", HERE / "calib_x.npy", "--out", folder, "--report", "none", *more]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    result = json.loads((pathlib.Path(folder) / "result.json").read_text())
    if any(layer["branches"] for layer in result["layers"]):
        report = subprocess.run([dendrolith, "report", folder, "--conventions",
                                 "--format", "json"], check=True, capture_output=True)
        result["formula"] = {term["name"]: term["count"]
                             for row in json.loads(report.stdout)["conventions"]
                             if row["name"] == "mmdend2025" for term in row["terms"]}
    return result


def neuron_flops(params):
    """Table 4 for a layer of the PSN family and one sample, else None."""
    D = len(params["b0"])
    neuron = params["meta"]["neuron"]
    if neuron == "sliding_psn":
        return D * len(params["w0"]) * 32
    if neuron == "masked_psn":
        order = 1 + max(t - q for t, q in zip(*np.nonzero(params["w0"])))
        return D * order * 32
    return D * len(params["w0"]) ** 2 if neuron == "psn" else None


def layer_adds(params, spikes):
    """T R Flops_layer: the mean spikes of a step of a neuron, by layer, each through
    a fully connected layer."""
    targets = [len(params[f"b{l}"]) for l in range(1, reference.layers(params))]
    return sum(32 * mean * len(params[f"b{l}"]) * fan for l, (mean, fan)
               in enumerate(zip(spikes, targets + [len(params["bout"])])))


def formula(params, result, spikes):
    """Neurons and layers of the paper's formula, in nJ; None where Table 4 is silent."""
    if result and "formula" in result:
        counts = result["formula"]
        flops = counts["dendrite operations"] + counts["soma operations"]
        adds = counts["synaptic additions"]
    else:
        flops, adds = neuron_flops(params), layer_adds(params, spikes)
        flops = flops and flops * reference.layers(params)
    return (flops and MAC_PJ * flops / 1e3), ADD_PJ * adds / 1e3


def band(energy, scale=1e-6):
    return f"{scale * energy['low']:.4g} to {scale * energy['high']:.4g}"


def mean_spikes(result):
    """Mean |S| of a neuron and step by layer."""
    return [sum(abs(int(value)) * n for value, n in counts.items()) / sum(counts.values())
            for name, counts in sorted(result["spike_values"].items()) if name != "out"]


def row(name, dendrolith, trained):
    x, y = np.load(HERE / "test_x.npy"), np.load(HERE / "test_y.npy")
    stepped = name in baselines.STEPPED
    path = trained / f"{name}.{'pt2' if stepped else 'npz'}"
    if stepped:
        params = baselines.load_step(path)
        right = int((baselines.run_stepped(name, params, x)[0].mean(1).argmax(1) == y).sum())
    else:
        params = reference.load(path)
        spikes, right = np.zeros(reference.layers(params)), 0
        for first in range(0, len(x), 10):
            trace = {}
            logits = reference.run(params, x[first : first + 10], trace).mean(-2)
            right += int((logits.argmax(-1) == y[first : first + 10]).sum())
            spikes += [np.abs(trace[f"L{l}.s"]).sum() for l in range(len(spikes))]
    score = f"{100 * right / len(y):.1f} %"
    if name == "psn":  # needs the future: float only
        neurons, layers = formula(params, None, spikes / (len(x) * 32 * 128))
        return [name, score, "refused", f"{spikes.sum() / len(x):.0f}", *["-"] * 6,
                f"{neurons:.0f} + {layers:.0f}"]
    with tempfile.TemporaryDirectory() as folder:
        result = run(dendrolith, path, folder, "--input", HERE / "test_x.npy",
                     "--labels", HERE / "test_y.npy")
    counts, summary = result["counts"]["total"], result["summary"]
    neurons, layers = ((None, ADD_PJ * layer_adds(params, mean_spikes(result)) / 1e3) if stepped
                       else formula(params, result, mean_spikes(result)))
    synops = sum(counts["synops"][kind] for kind in ("dense", "sparse", "conv"))
    return [name, score, f"{100 * result['score']['value']:.1f} %",
            f"{sum(mean_spikes(result)) * 32 * 128:.0f}",
            f"{counts['messages'] / len(x):.0f}", f"{synops / len(x):.0f}",
            band(summary["energy_per_sample_pJ"]), band(summary["static_per_sample_pJ"]),
            f"{1e-3 * summary['latency_per_sample_ns']['mean']:.2f}", str(summary["cores"]),
            f"{neurons:.0f} + {layers:.0f}" if neurons else f"- + {layers:.0f}"]


def ungrouped(params):
    """The same branches for every channel: D' = D, S = 0.  Untrained as it is, its
    answers mean nothing; what its neurons do in a step is data-independent."""
    params = dict(params)
    for l in range(reference.layers(params)):
        params[f"Dp{l}"], params[f"S{l}"] = np.array(len(params[f"b{l}"])), np.array(0)
    return {key: value for key, value in params.items() if not key.endswith("_ex")}


def neuron_energy(result):
    """What programs, state and visits of neurons cost in a sample."""
    events = lambda name: name.startswith(("microcode", "neuron_updates", "ssf"))
    return {end: sum(e["energy_pJ"] or 0 for name, e in
                     result["energy"][end]["by_event"].items() if events(name))
            / result["samples"] for end in ("low", "high")}


def grouping(name, dendrolith):
    params, found = reference.load(HERE / f"{name}.npz"), {}
    with tempfile.TemporaryDirectory() as folder:
        wide = pathlib.Path(folder) / "net.npz"
        for form, net in (("grouped", params), ("all", ungrouped(params))):
            reference_io.save(wide, net)
            result = run(dendrolith, wide, pathlib.Path(folder) / form, "--input",
                         HERE / "calib_x.npy")
            counts = result["formula"]
            # The spikes of the trained network in both.
            found.setdefault("adds", counts["synaptic additions"])
            found[form] = (counts["dendrite operations"], counts["soma operations"],
                           neuron_energy(result))
    flops, adds = {k: v[:2] for k, v in found.items() if k != "adds"}, found["adds"]
    saved = lambda a, b: f"{100 * (1 - a / b):.0f} %"
    all_of = {k: MAC_PJ * sum(v) + ADD_PJ * adds for k, v in flops.items()}
    energy = {k: found[k][2] for k in flops}
    return [name, str(len(params["go0"])), f"{params['Dp0']}, {params['S0']}",
            f"{flops['grouped'][0]:.0f} of {flops['all'][0]:.0f}",
            saved(flops["grouped"][0], flops["all"][0]),
            saved(sum(flops["grouped"]), sum(flops["all"])),
            saved(all_of["grouped"], all_of["all"]),
            f"{band(energy['grouped'])} of {band(energy['all'])}",
            f"{saved(energy['grouped']['low'], energy['all']['low'])}, "
            f"{saved(energy['grouped']['high'], energy['all']['high'])}"]


def shared_portions():
    """Table 4 alone, K = 8, 25 % of the channels' other branches shared (D' = D/J +
    (D - D/J)/4): what grouping saves of a layer's operations, by J."""
    for J in range(2, 9):
        pairs = 1 + 0.25 * (J - 1)  # a channel
        dendrite, soma = 25 * pairs / (25 * J), (2 * pairs + 3) / (2 * J + 3)
        neuron = (27 * pairs + 3) / (27 * J + 3)
        yield [str(J), f"{pairs:.2f}", *(f"{100 * (1 - part):.0f} %"
                                         for part in (dendrite, soma, neuron))]


def table(head, rows):
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for cells in rows:
        name, *rest = cells
        print(f"| `{name}` | " + " | ".join(rest) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--dendrolith", required=True)
    parser.add_argument("--grouping", action="store_true",
                        help="what channels that share branches save")
    parser.add_argument("--trained", type=pathlib.Path, default=HERE,
                        help="folder of the checkpoints, as train.py --out made it")
    parser.add_argument("--nets", nargs="+", default=NETS)
    options = parser.parse_args()
    if not options.grouping:
        table(["net", "in float", "on the chip", "spikes", "messages", "synaptic operations",
               "events uJ", "static uJ", "latency us", "cores", "formula nJ: neurons + layers"],
              (row(name, options.dendrolith, options.trained) for name in options.nets))
        return
    table(["net", "J", "D', S", "dendrite operations, of ungrouped", "saved", "of all of a "
           "neuron", "of the formula", "chip: neurons uJ, of ungrouped", "saved, low and high"],
          (grouping(name, options.dendrolith) for name in ("j2", "sparse", "j6")))
    print()
    table(["J", "branches of a channel", "dendrites saved", "somas", "both"],
          shared_portions())


if __name__ == "__main__":
    main()

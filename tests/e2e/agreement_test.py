# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/session/LayerAgreement.cpp, runtime/session/TraceUnits.cpp,
# runtime/session/Score.cpp and simulator/report/result/NeuroBenchFields.cpp.
"""`run --compare float --layers` against the same computed here from the traces of both
engines: equal spikes, rates, the first difference, states in real units."""
from support import FOLDER, ROOT, check, np, run

MODELS = ROOT / "models"
CASES = {
    "lif": ([MODELS / "lif/shapes_lif.nir", "--target", "loihi1", "--calibrate",
             MODELS / "lif/calib_x.npy"], MODELS / "lif/test_x.npy",
            {"lif1": {"v": "v"}, "lif2": {"v": "v"}}),
    "tiny": ([MODELS / "dendricl/tiny.npz", "--target", "loihi2", "--metric", "r2",
              "--calibrate", MODELS / "dendricl/calib_d5_x.npy"],
             MODELS / "dendricl/test_d5_x.npy",
             {"soma": {"v": "v"}, "block": {"v": "v"}, "apical": {"u": "u"}}),
}


def rms(values):
    return float(np.sqrt(np.mean(np.square(values))))


for name, (command, x, layers) in CASES.items():
    np.save(FOLDER / "x.npy", np.load(x)[:6])
    command = [*command, "--input", FOLDER / "x.npy"]
    asked = ",".join(f"{layer},{layer}:{state}" for layer, states in layers.items()
                     for state in states)
    # Outputs and states of one name cannot both be asked for.
    asked = asked.replace("apical,", "")
    flags = command[:command.index("--metric")] + command[command.index("--metric") + 2:] \
        if "--metric" in command else command
    result, _, chip = run(name, *command, "--trace", asked, "--compare", "float", "--layers")
    alone, _, real = run(name + "-float", *flags, "--trace", asked, "--engine", "float")
    units = result["trace_units_per_real"]
    check(set(units) == set(chip), f"{name}: units of each trace")
    check(set(alone["trace_units_per_real"].values()) == {1.0}, f"{name}: reals are reals")
    rows = {row["population"]: row for row in result["compare"]["layers"]}
    for layer, states in layers.items():
        output = rows[layer]["outputs"][0]
        if layer in chip:
            ours, theirs = chip[layer].astype(float), real[layer].astype(float)
            differ = np.argwhere(ours != theirs)
            check(output["values"] == ours.size and output["different"] == len(differ) > 0,
                  f"{name}, {layer}: {len(differ)} of {ours.size} values differ")
            at = tuple(int(i) for i in differ[0])
            check(output["first_difference"] ==
                  {"sample": at[0], "step": at[1], "neuron": at[2], "value": ours[at],
                   "other": theirs[at]}, f"{name}, {layer}: the first at {at}")
            check(np.isclose(output["rate"], np.mean(ours != 0)) and
                  np.isclose(output["other_rate"], np.mean(theirs != 0)), f"{name}, {layer}: rates")
        else:
            check(output["different"] is None and output["rms"] > 0, f"{name}, {layer}: reals")
        for state in rows[layer]["states"]:
            if state["name"] not in states:
                continue
            trace = f"{layer}:{state['name']}"
            check(state["units_per_real"] == units[trace], f"{name}, {trace}: units")
            gap = chip[trace] / units[trace] - real[trace]
            check(np.isclose(state["rms"], rms(gap)) and
                  np.isclose(state["other_rms"], rms(real[trace])) and
                  state["rms"] < 0.3 * state["other_rms"], f"{name}, {trace}: rms {rms(gap):.3g}")
    bench = result["neurobench"]
    check(list(bench["integer"]) == list(bench["float"]) and
          bench["integer"]["Footprint"] < bench["float"]["Footprint"], f"{name}: NeuroBench")
    some = next(iter(rows))
    check(np.isclose(bench["float"]["ActivationSparsityByLayer"][some],
                     1 - rows[some]["outputs"][0]["other_rate"]), f"{name}: activity in float")


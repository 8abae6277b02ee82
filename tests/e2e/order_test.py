# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/lowering/Reorder.cpp, compiler/mapping/result/Gather.cpp,
# simulator/record/Recorder.cpp.
"""Neurons of a population lie on cores in any order, and no user can tell: outputs,
traces, spikes and comparisons are those of the mapper's own order, in both engines,
and a file of a mapping gives it back."""
import importlib.util

import placements
from support import FOLDER, ROOT, check, dendrolith, np, result_of, run, sys

MODELS = ROOT / "models"


def few(path, count=3):
    name = FOLDER / f"few_{path.name}"
    np.save(name, np.load(path)[:count])
    return name


def same(one, other):
    return one.keys() == other.keys() and all(
        np.array_equal(one[name], other[name]) for name in one)


def agree(name, model, target, x, traces, *more, spread=3):
    """The mapper's order against two at random."""
    arguments = [model, "--target", target, *more]
    wide = [*arguments, *(["--cores", f"{spread}:"] if spread else [])]
    shown = ["--input", x, "--trace", traces]
    first, outputs, traced = run(f"{name}-own", *wide, *shown)
    for seed in (1, 2):
        placed = [*arguments, "--placement",
                  placements.shuffled(f"{name}{seed}", seed, *wide)]
        for engine in ("functional", "cycle"):
            title = f"{name}, order {seed}, {engine}"
            result, values, states = run(f"{name}-{engine}{seed}", *placed, *shown,
                                         "--engine", engine, "--verify")
            check(result["mapping"]["solver"] == "placement file" and
                  np.array_equal(values, outputs) and same(states, traced),
                  f"{title}: {values.size} outputs and {len(states)} traces")
            check(all(result.get(key) == first.get(key)
                      for key in ("spike_values", "neurobench")) and
                  result["counts"]["total"]["spikes"] ==
                  first["counts"]["total"]["spikes"], f"{title}: spikes")
    for against in ("float", "reference"):
        compared = [run(f"{name}-{against}{at}", *command, "--input", x, "--compare",
                        against)[0]["compare"] for at, command in enumerate((wide, placed))]
        check(compared[0] == compared[1], f"{name}: --compare {against}")
    dendrolith("run", *placed, "--input", x, "--compare",
            FOLDER / f"{name}-own" / "outputs.npy")  # fails where a value differs
    image = FOLDER / f"{name}.dlp"
    dendrolith("compile", *placed, "-o", image)
    _, values, states = run(f"{name}-image", image, *shown)
    check(np.array_equal(values, outputs) and same(states, traced),
          f"{name}: from an image")


agree("lif", MODELS / "lif" / "shapes_lif.nir", "loihi1", few(MODELS / "lif" / "test_x.npy"),
      "lif1,lif2:v,lif2:u", "--calibrate", MODELS / "lif" / "calib_x.npy")
agree("mmdend", MODELS / "mmdend" / "sparse.npz", "loihi2",
      few(MODELS / "mmdend" / "test_x.npy"), "L0,L1,L0:Vs,L1:V0.re",
      "--calibrate", MODELS / "mmdend" / "calib_x.npy")
agree("dendricl", MODELS / "dendricl" / "d10.npz", "loihi2",
      few(MODELS / "dendricl" / "test_d10_x.npy"), "soma,block,apical:u",
      "--calibrate", few(MODELS / "dendricl" / "calib_d10_x.npy", 8))


def random_paper(paper):
    """Weights and an input of a random network of the committed shape."""
    spec = importlib.util.spec_from_file_location(
        f"{paper}_reference", MODELS / paper / "reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    params = module.random_checkpoint(3, small=False)
    weights, x = FOLDER / f"{paper}.npz", FOLDER / f"{paper}-x.npy"
    module.export(params, weights)
    samples = np.array([module.random_input(s, params) for s in range(2)])[:, :20]
    np.save(x, np.eye(len(params["emb"]))[samples] if paper == "dendattn" else samples)
    return weights, x


weights, x = random_paper("elm")
agree("elm", MODELS / "elm" / "elm_relu.mlir", "loihi2", x, "rec,rec:m,ro", "--weights",
      weights, "--calibrate", x)
weights, x = random_paper("dendattn")
agree("dendattn", MODELS / "dendattn" / "da_mqar.mlir", "ideal", x, "R0:h,R1:n",
      "--weights", weights, "--calibrate", x, spread=0)

# A study network: its file numbers the neurons, and so does a placement.
dendrolith("generate", FOLDER / "study", "--neurons", 300, "--recipe", "fanout=20", "--cores", 5,
        "--steps", 40, "--recipe", "in-rate=0.2,rate=0.1")
study = FOLDER / "study.npz"
rng = np.random.default_rng(5)
pinned = placements.write("study", {"lif": rng.permutation(300) % 5}, rng)
found = []
for at, command in enumerate((["--engine", "reference"], [], ["--engine", "cycle"],
                              ["--placement", pinned],
                              ["--placement", pinned, "--engine", "cycle"])):
    out = FOLDER / f"study{at}"
    dendrolith("run", study, "--target", "loihi1", "--trace", "lif,lif:v", "--out", out,
            *command)
    traces = np.load(out / "traces.npz")
    found.append((traces["lif"], traces["lif:v"],
                  result_of(out)["raster"]))
    check(all(np.array_equal(a, b) for a, b in zip(found[0], found[-1])),
          f"study: traces and raster with {' '.join(map(str, command))}")
raster = np.load(study)
check(np.array_equal(np.argwhere(found[-1][0].squeeze() > 0) + [1, 0], sorted(
    zip(raster["ref_t"], raster["ref_id"]))), "study: traces have the file's numbers")

try:
    import h5py  # noqa: F401
except ImportError:
    print("skipped: convolutions, h5py is not installed")
    sys.exit(0)
from convolutions import Network, random_graphs  # noqa: E402

maps, x = FOLDER / "maps.nir", FOLDER / "maps.npy"
random_graphs.write(maps, Network(np.random.default_rng(3), (2, 10, 10), (4, 3, 1, 0),
                                  (6, 3, 1, 2)))
np.save(x, (np.random.default_rng(1).random((2, 12, 2, 10, 10)) < 0.2).astype(np.uint8))
agree("maps", maps, "loihi1", x, "n0,n1,n1:v", "--calibrate", x)

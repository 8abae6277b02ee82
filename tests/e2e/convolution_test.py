# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/nir/LinearMap.cpp, compiler/lowering/FeatureMaps.cpp,
# compiler/mapping/candidates/Tiles.cpp.
"""Convolutions on the chip: a small network, one whose maps must be tiled, and
the trained one of ../shared where it is; engines agree, lists are shared."""
import os
import re

from support import FOLDER, ROOT, check, dendrolith, np, pathlib, run, sys

try:
    import h5py  # noqa: F401
except ImportError:
    print("skipped: h5py is not installed")
    sys.exit(77)
from convolutions import Network, random_graphs  # noqa: E402

SHARED = pathlib.Path(os.environ.get("DENDROLITH_SHARED", ROOT.parent / "shared"))


def shared_lists(text):
    found = re.search(r"shared lists: (\d+) lists in (\d+) words serve (\d+) in-axons; "
                      r"without sharing (\d+) lists in (\d+) words", text)
    check(found is not None, "the choices say what sharing saves")
    return [int(n) for n in found.groups()]


def agree(name, model, target, inputs, populations):
    """Compiles, runs all engines; returns the choices and the cycle result."""
    text = dendrolith("compile", model, "--target", target, "--calibrate", inputs)
    lists, words, axons, sources, unshared = shared_lists(text)
    # A core of loihi2 stores a whole kernel, however little of a map it has.
    check(target == "loihi2" or lists < axons and words < unshared,
          f"{name} on {target}: {words} words in {lists} lists instead of {unshared} "
          f"in {sources}")
    found = {}
    for engine in ("reference", "functional", "cycle"):
        options = ["--verify"] if engine == "cycle" else []
        found[engine] = run(f"{name}-{target}-{engine}", model, "--target", target,
                            "--input", inputs, "--engine", engine, "--trace",
                            ",".join(populations), *options)
    for engine in ("functional", "cycle"):
        same = np.array_equal(found[engine][1], found["reference"][1]) and all(
            np.array_equal(found[engine][2][p], found["reference"][2][p])
            for p in populations)
        check(same, f"{name} on {target}: {engine} gives the reference's spikes in "
              f"{len(populations)} populations")
    spikes = [int(found["cycle"][2][p].sum()) for p in populations]
    check(min(spikes) > 0, f"{name} on {target}: every layer spikes, {spikes}")
    return text, found["cycle"][0]


def events(seed, shape, rate, steps=12, samples=2, most=1):
    rng = np.random.default_rng(seed)
    values = rng.random((samples, steps, *shape)) < rate
    values = values * rng.integers(1, most + 1, values.shape)
    path = FOLDER / f"events{seed}.npy"
    np.save(path, values.astype(np.uint8))
    return path


small = FOLDER / "small.nir"
random_graphs.write(small, Network(np.random.default_rng(3), (2, 14, 14), (4, 3, 1, 0),
                                   (6, 3, 1, 2, 2, 2), (5, 3, 2, 2)))
for chip, most in (("loihi1", 1), ("loihi2", 3), ("ideal", 3)):
    drive = events(most, (2, 14, 14), 0.2, most=most)  # counts where spikes carry them
    agree("small", small, chip, drive, ["n0", "n1", "n2"])

# Channel by channel a core would read 18 rows of 12 maps: too many in-axons.
tiled = FOLDER / "tiled.nir"
random_graphs.write(tiled, Network(np.random.default_rng(4), (1, 64, 64), (12, 3, 1, 0),
                                   (12, 3, 1, 0)))
choices, _ = agree("tiled", tiled, "loihi1", events(2, (1, 64, 64), 0.1, 4, 1),
                   ["n0", "n1"])
check("tiles of feature maps: n0: " in choices, "tiled: the maps lie in tiles, "
      + re.search(r"tiles of feature maps: (.*)", choices).group(1))
tiles = sum(int(n) for n in re.findall(r"n\d: (\d+) tiles? of up to", choices))
groups = dendrolith("compile", tiled, "--target", "loihi1", "--calibrate",
                 FOLDER / "events2.npy", "--emit", "chip").count("chip.group ")
check(groups == tiles, f"tiled: {groups} groups on cores, one for each tile")

# Kernels that are stored once say the same, in fewer words.
LISTS = "loihi2,synapse_memory.kernels=false"
told = {chip: agree("small", small, chip, FOLDER / "events3.npy", ["n0", "n1", "n2"])[1]
        for chip in ("loihi2", LISTS)}
events_of = {chip: (sum(result["counts"]["total"]["synops"][k] for k in ("dense", "sparse", "conv")),
                    result["counts"]["total"]["spikes"]) for chip, result in told.items()}
check(events_of["loihi2"] == events_of[LISTS],
      f"small: as many synaptic operations and spikes either way, {events_of['loihi2']}")
stored = {chip: shared_lists(dendrolith(
    "compile", tiled, "--target", chip, "--calibrate", FOLDER / "events2.npy", "--map-for", "cores"))
          for chip in ("loihi2", LISTS)}
check(stored["loihi2"][1] * 3 < stored[LISTS][1] and stored["loihi2"][2] * 100 < stored[LISTS][2],
      f"tiled: kernels take {stored['loihi2'][1]} words and {stored['loihi2'][2]} in-axons, "
      f"lists {stored[LISTS][1]} and {stored[LISTS][2]}")

trained = SHARED / "data" / "nir" / "cnn_sinabs.nir"
if trained.exists():
    text, result = agree("trained", trained, "loihi1", events(5, (2, 34, 34), 0.08, 40, 4),
                         ["1", "3", "6", "10", "12"])
    few = dendrolith("compile", trained, "--target", "loihi1", "--calibrate",
                  FOLDER / "events5.npy", "--map-for", "cores", "-o", FOLDER / "few.dlp")
    cores = int(re.search(r"Mapping: (\d+) core", few).group(1))
    counts = result["counts"]["total"]
    print(f"trained: {cores} cores; counts of the cycle engine: {counts}"[:600])
    check(cores <= 11, f"trained: {cores} of 128 cores")
    explained = dendrolith("compile", trained, "--target", "loihi1", "--explain")
    check("39890 weights and biases in the file" in explained,
          "trained: 39890 weights in the file")
else:
    print("skipped: the trained network, no ../shared")

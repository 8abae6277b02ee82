# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/study/Column.cpp,
# compiler/import/study/Rows.cpp, compiler/import/study/Study.cpp.
"""The microcircuit: what its file holds against the published rule, its spikes against a
loop in numpy that is written from the file alone, boards, and what is refused. A spatial
network: near targets, and the spikes that its file expects."""
import json
import math
import subprocess

import support
from support import FOLDER, DENDROLITH, check, dendrolith, np, sha_of

SIZES = [20683, 5834, 21915, 5479, 4850, 1065, 14395, 2948]


def generate(name, *flags):
    printed = dendrolith("generate", FOLDER / name, *flags)
    return json.loads((FOLDER / f"{name}.json").read_text()), printed


def spikes_of(archive, meta):
    """The neuron of dend.cuba, in numpy."""
    n, inputs, model = meta["n_neurons"], meta["n_inputs"], meta["model"]
    begin, col = archive["row_ptr"], archive["col"]
    weight = archive["weight"].astype(np.int64)
    late = np.zeros((64, n), np.int64)
    bias = np.concatenate([np.full(p["size"], p["bias"]) for p in meta["populations"]])
    u, v, held = (np.zeros(n, np.int64) for _ in range(3))
    spikes = []

    def tz(x):
        return np.sign(x) * (np.abs(x) >> 12)

    for step in range(1, meta["timesteps"] + 1):
        a = late[step % 64].copy()
        late[step % 64] = 0
        u = (tz(u * (4095 - model["decay_u"])) + a + 2**23 - 1) % 2**24 - 2**23 + 1
        v = np.clip(tz(v * (4096 - model["decay_v"])) + u + bias, 1 - 2**23, 2**23 - 1)
        v[held > 0] = 0
        fired = v > model["threshold"] << 6
        v[fired] = 0
        held = np.where(fired, model["refractory"] - 1, np.maximum(held - 1, 0))
        ids = np.flatnonzero(fired)
        spikes += [(step, int(i)) for i in ids]
        for s in [*archive["in_id"][archive["in_t"] == step], *(ids + inputs)]:
            row = slice(begin[s], begin[s + 1])
            late[(step + archive["delay"][s]) % 64, col[row]] += (
                weight[row] << archive["shift"][s])
    return spikes


FLAGS = ("--mode", "microcircuit", "--recipe", "scale=0.05,inputs=512", "--steps", 600)
meta, printed = generate("column", *FLAGS)
archive = dict(np.load(FOLDER / "column.npz"))
sizes = [p["size"] for p in meta["populations"]]
check(sizes == [int(0.05 * size + 0.5) for size in SIZES], "sizes are scaled")
check(f"{meta['n_neurons']} neurons and 512 inputs" in printed, "sizes are printed")
# L4I to L4E: the rule of the paper, and the scale of both neurons and synapses.
pairs = SIZES[2] * SIZES[3]
expected = math.log(1 - 0.135) / math.log(1 - 1 / pairs) / SIZES[2] * 0.05 * sizes[2]
source = np.repeat(np.arange(len(archive["row_ptr"]) - 1), np.diff(archive["row_ptr"])) - 512
first = [p["first"] for p in meta["populations"]] + [meta["n_neurons"]]
inside = ((source >= first[3]) & (source < first[4]) &
          (archive["col"] >= first[2]) & (archive["col"] < first[3]))
mean = -archive["weight"][inside].mean()
strength = archive["weight"][inside].sum() / -expected
check(abs(strength / mean - 1) < 0.1 and np.all(archive["weight"][inside] < 0),
      "as many synapses as published, inhibitory ones negative")
excitatory = archive["delay"][512:512 + first[1]]
check(set(excitatory) == {7, 14, 18, 25} and set(archive["delay"][:512]) == {1},
      "delays are quarters of the published distribution")
degree = np.bincount(archive["col"][source < 0], archive["weight"][source < 0],
                     meta["n_neurons"]) / meta["model"]["background_weight"]
check(np.all(degree[:sizes[0]] == 32) and np.all(degree[first[6]:first[7]] == 58),
      "each neuron has its background")
generate("again", *FLAGS)
check(sha_of(FOLDER / "again.npz") == sha_of(FOLDER / "column.npz"), "a seed is a network")
generate("other", *FLAGS, "--seed", 2)
check(sha_of(FOLDER / "other.npz") != sha_of(FOLDER / "column.npz"), "and another is not")

wanted = spikes_of(archive, meta)
check(len(wanted) > 100, f"{len(wanted)} spikes to compare")
for engine, threads in (("functional", 1), ("functional", 2), ("reference", 1)):
    dendrolith("run", FOLDER / "column.npz", "--target", "loihi1-study", "--engine", engine,
            "--threads", threads, "--out", FOLDER / engine)
    found = np.load(FOLDER / engine / "spikes.npz")
    check(list(zip(found["step"].tolist(), found["id"].tolist())) == wanted,
          f"{engine}, {threads} thread(s): the spikes of a loop in numpy")
dendrolith("run", FOLDER / "column.npz", "--target",
        "loihi1,board.chips_x=2,board.chips_y=2", "--out", FOLDER / "board")
result = support.result_of(FOLDER / "board")
found = np.load(FOLDER / "board" / "spikes.npz")
check(list(zip(found["step"].tolist(), found["id"].tolist())) == wanted,
      f"a board of loihi1, {result['mapping']['cores']} cores: the same spikes")

space, _ = generate("space", "--mode", "spatial", "--neurons", 2500, "--recipe", "fanout=40,reach=6,anywhere=0.05", "--steps", 30, "--cores", 8)
archive = dict(np.load(FOLDER / "space.npz"))
source = np.repeat(np.arange(len(archive["row_ptr"]) - 1), np.diff(archive["row_ptr"])) - 250
near = source >= 0
gap = np.abs(archive["col"][near] % 50 - source[near] % 50)
gap = np.minimum(gap, 50 - gap)
check(0.9 < np.mean(gap <= 12) and abs(gap[gap <= 18].std() - 3.6) < 1,
      "targets lie at normally distributed distances")
check(np.all(np.diff(archive["row_ptr"]) == 40), "each source has its fan-out")
printed = dendrolith("run", FOLDER / "space.npz", "--target", "loihi1-study")
check("equal to those of" in printed, "a spatial network gives its spikes")


def refused(says, *flags):
    done = subprocess.run([DENDROLITH, "generate", str(FOLDER / "bad"), *map(str, flags)],
                          capture_output=True, text=True)
    check(done.returncode != 0 and says in done.stderr, f"{flags}: {done.stderr}")


refused("scale", "--mode", "microcircuit", "--recipe", "scale=2")
refused("fanout", "--mode", "microcircuit", "--recipe", "fanout=3")
refused("scale of --recipe", "--mode", "local", "--recipe", "scale=0.5")
refused("fan-out", "--mode", "spatial", "--neurons", 100, "--recipe", "fanout=90")
check(not list(FOLDER.glob("bad*")), "nothing is left of what was refused")

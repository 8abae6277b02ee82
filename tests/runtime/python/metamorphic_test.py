# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/nir/Wiring.cpp, compiler/transforms, compiler/mapping, simulator and
# runtime/python/dendrolith/program.py together.
"""Random networks and changes that must not change what they answer, all in integers: other
names, another order of nodes, edges, channels or samples, a population split or doubled, an
identity put in, other cores, threads, engines, an image. DENDROLITH_EXAMPLES multiplies how
many networks are tried, DENDROLITH_SEED is that of the first."""
import copy
import os
import shutil
import subprocess

from support import DENDROLITH, FOLDER, check, dl, finish, need, np

h5py = need("h5py")
NETWORKS = int(10 * float(os.environ.get("DENDROLITH_EXAMPLES", "1")))
SEED = int(os.environ.get("DENDROLITH_SEED", "1"))
NAMES = ["if", "a b", "größe", "10", "2", "lif.v", "class", "lambda", "Z", "_", "input_2", "n-1"]
# Steps of weights that no part of a layer decides: each row and column holds the largest.
SAME = {"quantise": "max", "tuning": {"bias_correction": False}}


def drawn(rng):
    """Populations of equal thresholds in a chain, with skips, loops and biases."""
    sizes = [int(n) for n in rng.integers(3, 9, rng.integers(3, 5))]
    net = {"inputs": sizes[0], "pops": {}, "paths": [], "out": f"p{len(sizes) - 1}"}
    for k, n in enumerate(sizes[1:], 1):
        kind = str(rng.choice(["LIF", "CubaLIF"]))
        tau = float(rng.choice([2e-4, 4e-4, 8e-4]))
        own = {"v_leak": 0.0, "r": tau / 1e-4, "v_threshold": float(rng.choice([.75, 1.25])), "v_reset": 0.0}
        own.update({"tau": tau} if kind == "LIF" else {"tau_syn": 2e-4, "tau_mem": tau, "w_in": 2.0})
        net["pops"][f"p{k}"] = {"type": kind, **{key: np.full(n, value) for key, value in own.items()}}
    last = len(sizes) - 1
    pairs = {(k, k + 1) for k in range(last)} | {(int(rng.integers(0, last)), last)}
    pairs |= {(int(a), int(b)) for a, b in rng.integers(1, last + 1, (2, 2))}
    for a, b in sorted(pairs):
        weights = rng.integers(-40, 65, (sizes[b], sizes[a])) / 64
        most = max(sizes[a], sizes[b])
        for i in range(most):
            weights[i % sizes[b], (i + a) % sizes[a]] = 1
        bias = rng.integers(-8, 9, sizes[b]) / 64 if rng.random() < .4 else None
        net["paths"].append({"from": f"p{a}" if a else "in", "to": f"p{b}", "w": weights, "b": bias, "around": []})
    return net


def write(path, net, name=lambda node: node, order=lambda items: items):
    nodes, edges = {"in": {"type": "Input", "shape": np.array([net["inputs"]])}, **net["pops"]}, []
    for k, one in enumerate(net["paths"]):
        own = {"weight": one["w"]} if one["b"] is None else {"weight": one["w"], "bias": one["b"]}
        line = [(f"w{k}", {"type": "Linear" if one["b"] is None else "Affine", **own})]
        for place, size in one["around"]:
            line.insert(0 if place == "before" else len(line), (f"i{k}{place}", {"type": "Linear", "weight": np.eye(size)}
                        if (k + size) % 2 else {"type": "Scale", "scale": np.ones(size)}))
        nodes.update(line)
        way = [one["from"], *(node for node, _ in line), one["to"]]
        edges += zip(way, way[1:])
    nodes["out"] = {"type": "Output", "shape": np.array([len(net["pops"][net["out"]]["r"])])}
    edges.append((net["out"], "out"))
    text = h5py.string_dtype("utf-8")
    with h5py.File(path, "w", track_order=True) as file:
        file["version"] = "1.0.7"
        graph = file.create_group("node", track_order=True)
        graph.create_dataset("type", data="NIRGraph", dtype=text)
        graph.create_dataset("edges", data=np.array([[name(a), name(b)] for a, b in order(edges)], object), dtype=text)
        group = graph.create_group("nodes", track_order=True)
        for node, fields in order(list(nodes.items())):
            inner = group.create_group(name(node))
            for key, value in fields.items():
                inner.create_dataset(key, data=value, **({"dtype": text} if isinstance(value, str) else {}))
        graph.create_group("metadata")["dt"] = 1e-4


def permuted(net, node, way):
    """`node` with its neurons in another order, and all that reads or drives it."""
    net = copy.deepcopy(net)
    if node != "in":
        net["pops"][node] = {key: value if key == "type" else value[way] for key, value in net["pops"][node].items()}
    for one in net["paths"]:
        if one["to"] == node:
            one["w"], one["b"] = one["w"][way], None if one["b"] is None else one["b"][way]
        if one["from"] == node:
            one["w"] = one["w"][:, way]
    return net


def parted(net, node, parts):
    """`node` as several populations: of some of its neurons each, and read in part of its columns."""
    new = {**net, "pops": {}, "paths": []}
    for name, own in net["pops"].items():
        for k, (rows, _) in enumerate(parts if name == node else [(slice(None), None)]):
            new["pops"][f"{name}_{k}" if name == node else name] = {
                key: value if key == "type" else value[rows] for key, value in own.items()}
    for one in net["paths"]:
        targets = [(f"{node}_{k}", rows) for k, (rows, _) in enumerate(parts)] if one["to"] == node else \
            [(one["to"], slice(None))]
        sources = [(f"{node}_{k}", columns) for k, (_, columns) in enumerate(parts)] if one["from"] == node else \
            [(one["from"], lambda w: w)]
        for target, rows in targets:
            for k, (source, columns) in enumerate(sources):
                bias = one["b"][rows] if one["b"] is not None and k == 0 else None
                new["paths"].append({"from": source, "to": target, "w": columns(one["w"])[rows], "b": bias, "around": []})
    return new


def answers(net, x, chip, options, **written):
    path = FOLDER / "net.nir"
    path.unlink(missing_ok=True)
    write(path, net, **written)
    program = dl.load(path).compile(chip, calibrate=x, **options)
    return program, program.run(x).outputs


def tried(seed):
    rng = np.random.default_rng(seed)
    net, chip = drawn(rng), ["loihi1", "loihi2"][seed % 2]
    x = (rng.random((4, 16, net["inputs"])) < .4).astype(np.float32)
    program, usual = answers(net, x, chip, {})
    same_program, same = answers(net, x, chip, SAME)
    title = f"seed {seed}, {chip}: "
    equal = lambda got, want, what: check(np.array_equal(got, want), f"{title}{what}: "  # noqa: E731
                                          f"{int((np.asarray(got) != want).sum())} of {want.size} differ")
    # Written otherwise.
    names = dict(zip([*net["pops"], "in", "out", *(f"w{k}" for k in range(len(net["paths"])))],
                     rng.permutation(NAMES + [f"n{k}" for k in range(20)]).tolist()))
    other = lambda items: [items[i] for i in rng.permutation(len(items))]  # noqa: E731
    equal(answers(net, x, chip, {}, name=lambda node: names[node])[1], usual, "renamed")
    equal(answers(net, x, chip, {}, order=other)[1], usual, "in another order")
    equal(answers(net, x, chip, {}, name=lambda node: names[node], order=other)[1], usual, "both")
    # Other channels.
    inner = str(rng.choice([name for name in net["pops"] if name != net["out"]]))
    way = rng.permutation(len(net["pops"][inner]["r"]))
    equal(answers(permuted(net, inner, way), x, chip, {})[1], usual, f"{inner} permuted")
    way = rng.permutation(len(net["pops"][net["out"]]["r"]))
    equal(answers(permuted(net, net["out"], way), x, chip, {})[1], usual[..., way], "outputs permuted")
    way = rng.permutation(net["inputs"])
    equal(answers(permuted(net, "in", way), x[..., way], chip, {})[1], usual, "inputs permuted")
    # Another structure.
    size = len(net["pops"][inner]["r"])
    half = size // 2
    pick = lambda part: lambda w: w[:, part]  # noqa: E731
    halves = [(part, pick(part)) for part in (slice(0, half), slice(half, size))]
    equal(answers(parted(net, inner, halves), x, chip, SAME)[1], same, f"{inner} split")
    masks = [np.arange(size) < half, np.arange(size) >= half]
    twins = [(slice(None), lambda w, mask=mask: w * mask) for mask in masks]
    equal(answers(parted(net, inner, twins), x, chip, SAME)[1], same, f"{inner} doubled")
    with_identity = copy.deepcopy(net)
    chosen = with_identity["paths"][int(rng.integers(len(net["paths"])))]
    chosen["around"] = [("before", chosen["w"].shape[1]), ("behind", chosen["w"].shape[0])]
    equal(answers(with_identity, x, chip, {})[1], usual, f"an identity from {chosen['from']} to {chosen['to']}")
    # Run otherwise.
    way = rng.permutation(len(x))
    equal(program.run(x[way]).outputs, usual[way], "samples in another order")
    equal(np.concatenate([program.run(x[k:k + 1]).outputs for k in range(len(x))]), usual, "one by one")
    equal(program.run(np.concatenate([x, x]), threads=3).outputs, np.concatenate([usual, usual]), "twice, by threads")
    equal(program.run(np.concatenate([x, 0 * x[:, :5]], 1)).outputs[:, :16], usual, "longer")
    for engine in "reference", "cycle":
        equal(program.run(x, engine=engine).outputs, usual, engine)
    for options in ({"tuning": {"map_seed": 7}}, {"tuning": {"solver": "round-robin"}}, {"cores": "3:"}, {"map_for": "energy"}):
        placed, got = answers(net, x, chip, options)
        equal(got, usual, f"{options}")
    placed.save(FOLDER / "net.dlp")
    equal(dl.load(FOLDER / "net.dlp").run(x).outputs, usual, "an image")
    return usual


firing = 0
for seed in range(SEED, SEED + NETWORKS):
    try:
        firing += bool(tried(seed).any())
    except dl.DendrolithError as error:
        check(False, f"seed {seed}: {error}")
check(firing > NETWORKS // 2, f"{firing} of {NETWORKS} networks answer at all")

# Ranks share a network.
if shutil.which("mpirun"):
    rng = np.random.default_rng(SEED)
    net = drawn(rng)
    x = (rng.random((4, 16, net["inputs"])) < .4).astype(np.float32)
    program, usual = answers(net, x, "loihi1", {"cores": "3:"})
    program.save(FOLDER / "ranks.dlp")
    np.save(FOLDER / "x.npy", x)
    done = subprocess.run(["mpirun", "--oversubscribe", "--allow-run-as-root", "-np", "2", DENDROLITH, "run", FOLDER / "ranks.dlp",
                           "--input", FOLDER / "x.npy", "--out", FOLDER / "ranks"], capture_output=True, text=True)
    if "built without MPI" not in done.stderr:
        check(done.returncode == 0 and np.array_equal(np.load(FOLDER / "ranks" / "outputs.npy"), usual), f"ranks: {done.stderr}")
finish()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/lowering/microcode/LowerBody.cpp,
# simulator/functional/machine/MicroStep.cpp.
"""The neurons of models/neurons against models written here in plain integers:
spikes and a state at each of 100 ticks, in the reference interpreter and in both
engines on `ideal` and `loihi2`; and the instructions of an update, counted by
hand from the equations."""

from support import FOLDER, ROOT, check, dendrolith, np, result_of

TICKS, NEURONS = 100, ROOT / "models" / "neurons"
rng = np.random.default_rng(3)


def wrap(x, bits=24):
    return (x + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))


def clip(x, bits=24):
    return max(-(1 << (bits - 1)), min((1 << (bits - 1)) - 1, x))


def nearest_even(x, bits):
    q, rest = x >> bits, x & ((1 << bits) - 1)
    half = 1 << (bits - 1)
    return q + (rest > half or (rest == half and q & 1))


def drive(weights, x, shift):
    return [sum(w << shift for w, s in zip(row, x) if s) for row in weights]


def lif(x):
    W = [[100, 60, 90, -40], [50, 120, -30, 80], [127, 127, 90, 110]]
    v, theta = [0] * 3, [1000, 1500, 2500]
    for now in x:
        spikes = []
        for n, current in enumerate(drive(W, now, 2)):
            v[n] = wrap((v[n] * 3686 >> 12) + current)
            spikes.append(int(v[n] > theta[n]))
            v[n] = 0 if spikes[n] else v[n]
        yield spikes, list(v)


def adaptive_lif(x):
    W = [[100, 60, 90, -40], [50, 120, -30, 80]]
    v, a = [0] * 2, [0] * 2
    for now in x:
        spikes = []
        for n, current in enumerate(drive(W, now, 2)):
            v1, limit = clip((v[n] * 3686 >> 12) + current), clip(600 + a[n])
            spikes.append(int(v1 > limit))
            v[n] = v1 - limit if spikes[n] else v1
            a[n] = clip((a[n] * 3973 >> 12) + 300) if spikes[n] else a[n] * 3973 >> 12
        yield spikes, list(a)


def resonate_and_fire(x):
    W, c, d = [[100, 30], [-50, 110]], 14683, 6082
    z = [[0, 0], [0, 0]]
    for now in x:
        spikes = []
        for n in range(2):
            (p, q), current = z[n], sum(w * s for w, s in zip(W[n], now)) << 2
            up = nearest_even(p * d, 14) + nearest_even(q * c, 14)
            z[n] = [nearest_even(p * c, 14) + nearest_even(-q * d, 14) + current, up]
            spikes.append(int(up > 1024 >= q))
        yield spikes, [word / 1024 for pair in z for word in pair]


def two_compartment(x):
    W = [[90, 40, -60], [-20, 100, 70]]
    d, v, late = [0] * 2, [0] * 2, [0] * 2
    for now in x:
        spikes, fresh = [], drive(W, now, 0)
        for n in range(2):
            d[n] = (d[n] * 3400 >> 12) + (v[n] * 410 >> 12) + (fresh[n] << 2)
            v1 = (max(d[n], 0) * 410 >> 12) + (v[n] * 3800 >> 12) + late[n]
            spikes.append(int(v1 > 700))
            v[n] = 0 if spikes[n] else v1
        late = fresh  # the soma's synapses have a delay of one tick
        yield spikes, list(d)


def shift_register16(x):
    W = [[100, 60, 90, -40], [50, 120, -30, 80], [-90, 70, 20, 110]]
    h = [127, 90, 64, 45, 32, 23, 16, 11, 8, 6, 4, 3, 2, 1, 1, 1]
    lines = [[0] * 16 for _ in range(3)]
    for now in x:
        for n, current in enumerate(drive(W, now, 0)):
            lines[n] = [current] + lines[n][:15]
        yield ([int(sum(a * b for a, b in zip(h, line)) >= 25600) for line in lines],
               [word for line in lines for word in line])


# Per update, from the equations: instructions, then element operations. A load
# is a word read from port, state or parameter memory.
COUNTS = {
    # mul (v, keep), add (I), cmp (theta), select into v, emit
    lif: (5, dict(load=4, store=1, add=1, multiply=1, compare=1, select=1, emit=1)),
    # v: mul (v, keep), add (I); limit: add (theta, a); cmp, sub, select into v;
    # a: mul (a, rho), add, select into a; emit
    adaptive_lif: (10, dict(load=7, store=2, add=4, multiply=2, compare=1, select=2,
                            emit=1)),
    # two dots of z (2 words) with 2 parameters, add (I), cmp (theta), cmp (z[1],
    # theta), min, two moves into z', emit, one move of 2 words into z
    resonate_and_fire: (10, dict(load=4 + 1 + 4 + 1 + 2, store=2, move=4, add=1, mac=4,
                                 compare=3, emit=1)),
    # moves (d), (v); dot with 2 parameters; add (Id); max; moves (up), (v); dot;
    # add (Is); cmp (theta); select into v; emit; move into d
    two_compartment: (13, dict(load=2 + 2 + 1 + 1 + 2 + 1 + 1, store=2, move=5, add=2,
                               mac=4, compare=2, select=1, emit=1)),
    # move (I), move of 15 old words, dot with 16 parameters, cmp (theta), emit,
    # move of 16 words into the line
    shift_register16: (6, dict(load=1 + 15 + 16 + 1, store=16, move=32, mac=16,
                               compare=1, emit=1)),
}

for model, (issue, classes) in COUNTS.items():
    name = model.__name__
    inputs = dict(resonate_and_fire=2, two_compartment=3).get(name, 4)
    x = rng.integers(0, 2, (TICKS, inputs))
    if name == "resonate_and_fire":
        x = rng.integers(-3, 4, (TICKS, inputs)) * (rng.random((TICKS, inputs)) < .3)
    np.save(FOLDER / "x.npy", x.astype(float))
    expected = list(model([[int(s) for s in row] for row in x]))
    spikes = np.array([s for s, _ in expected])
    states = np.array([s for _, s in expected])
    check(0 < spikes.sum() < spikes.size, f"{name}: {spikes.sum()} spikes of {spikes.size}")
    file = NEURONS / f"{name}.mlir"
    check(len(file.read_text().splitlines()) < 40, f"{name}: under 40 lines")
    for target, engine in (("ideal", "reference"), ("ideal", "functional"), ("ideal", "cycle"),
                           ("loihi2", "functional"), ("loihi2", "cycle")):
        verify = [] if engine == "reference" else ["--verify"]
        out = FOLDER / f"{name}-{target}-{engine}"
        dendrolith("run", file, "--target", target, "--input", FOLDER / "x.npy", "--engine",
                engine, "--out", out, *verify)
        got = dict(np.load(out / "outputs.npz"))
        other = next(key for key in got if key != "spikes")
        check((got["spikes"] == spikes).all() and
              (got[other].reshape(TICKS, -1) == states).all(),
              f"{name}: {engine} on {target} equals plain integers at {TICKS} ticks")
    # Inputs that keep every neuron active, so that each update runs the program.
    result = result_of(FOLDER / f"{name}-loihi2-cycle")
    total = result["counts"]["total"]
    updates = total["neuron_updates_active"]
    if total["neuron_updates_inactive"] == 0:
        ran = updates
    else:
        ran = total["microcode"]["issue"] // issue
    check(total["microcode"]["issue"] == ran * issue and ran >= updates,
          f"{name}: {issue} instructions an update, {ran} updates")
    for kind, count in total["microcode"].items():
        if kind != "issue":
            check(count == ran * classes.get(kind, 0),
                  f"{name}: {classes.get(kind, 0)} {kind} an update")

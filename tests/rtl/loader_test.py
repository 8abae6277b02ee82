# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/export/loader, compiler/import/mlir/Ranc.cpp, RancFiles.cpp.
"""export --format odin, tinyodin, ranc, catalyst-n1: loader files read back.

    loader_test.py DENDROLITH

Random networks are exported, and the files alone are read into memories as the chip
has them. These compute what both the network's values and the functional engine say.
RANC's files are run as a model. Networks that do not fit are refused by name, and nothing is written. That the chips' own
Verilog takes the files is python.cosim's.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

from events import constant, neuron_text

import numpy as np

DENDROLITH = pathlib.Path(sys.argv[1]).absolute()
HERE = pathlib.Path(__file__).resolve().parent
FOLDER = tempfile.TemporaryDirectory()
WORK = pathlib.Path(FOLDER.name)
checks = 0


def check(fine, what):
    global checks
    checks += 1
    if not fine:
        sys.exit(f"failed: {what}")


def export(name, chip, text, *more):
    path = WORK / f"{name}.mlir"
    path.write_text(text)
    done = subprocess.run([DENDROLITH, "export", path, "--format", chip, "-o", WORK / name, *more],
                          capture_output=True, text=True)
    return done.returncode, done.stderr


def refused(chip, text, *words, more=()):
    code, told = export("refused", chip, text, *more)
    check(code == 1 and all(word in told for word in words), f"{words}: {told}")
    check(not (WORK / "refused").exists(), "nothing is written")


def run(name, inputs, target):
    for key, values in inputs.items():
        np.save(WORK / f"{key}.npy", values)
    words = [word for key in inputs for word in ("--input", f"{key}={WORK / key}.npy")]
    done = subprocess.run([DENDROLITH, "run", WORK / f"{name}.mlir", *words, "--target", target,
                           "--out", WORK / f"{name}_run", "--report", "none"],
                          capture_output=True, text=True)
    check(done.returncode == 0, done.stderr)
    return {key: np.asarray(values).astype(int)
            for key, values in np.load(WORK / f"{name}_run" / "outputs.npz").items()}


class Events:
    """A network of ODIN or tinyODIN, as numbers."""

    def __init__(self, chip, rng, n=20, inputs=30, back=True):
        self.chip, tiny = chip, chip == "tinyodin"
        size = rng.integers(-4 if tiny else 0, 8, (n, inputs))
        self.own = rng.integers(-8 if tiny else 0, 8, (n, n)) * (rng.random((n, n)) < .3) * back
        if not tiny:
            size = size * rng.choice([1, 1, 1, -1], inputs)
            self.own = self.own * rng.choice([1, 1, 1, -1], n)
        self.weights = size * (rng.random(size.shape) < .6)
        self.threshold = rng.integers(10, 26, n)
        self.leak = rng.integers(0, 12, n)
        self.start = rng.integers(-9 if tiny else 0, 9, n)

    def text(self, **changes):
        for name, value in changes.items():
            setattr(self, name, value)
        n, inputs = self.weights.shape
        lines = ["dend.network @case {", "  dend.clock @event",
                 *(constant(k, getattr(self, k)) for k in ("threshold", "leak", "start")),
                 constant("W", self.weights), constant("each", np.ones((n, 1))),
                 neuron_text(self.chip, start="start"),
                 f"  dend.input @x on @event : tensor<{inputs}xf64> as !dend.spike<binary>",
                 "  dend.input @time on @event : tensor<1xf64> as !dend.spike<binary>",
                 f"  dend.population @n : @neuron[{n}] on @event "
                 "bind {threshold = @threshold, leak = @leak}",
                 '  dend.project @x -> @n["I"] #dend.dense weight @W delay 0',
                 '  dend.project @time -> @n["T"] #dend.dense weight @each delay 0']
        if self.own.any():
            lines += [constant("R", self.own),
                      '  dend.project @n["s"] -> @n["I"] #dend.dense weight @R delay 1']
        lines += ['  dend.output @s = @n["s"]', '  dend.output @v = probe @n["v"]', "}"]
        return "\n".join(lines) + "\n"


class Memories:
    """What a chip has in its registers and memories after load.spi."""

    def __init__(self, folder, tiny):
        lines = [[int(word, 16) for word in line.split()]
                 for line in (folder / "load.spi").read_text().splitlines()]
        check(len(lines) == (33798 if tiny else 36892), "every word is written")
        check(lines[:2] == [[0, 1], [1, 1]] and lines[-1] == [0, 0], "loaded while it stands")
        written = [address for address, _ in lines[2:-2]]
        check(len(written) == len(set(written)), "each once")
        self.registers, words, cells = {}, np.zeros((256, 16), int), np.zeros((256, 32, 4), int)
        for address, data in lines:
            kind, low = address >> 16, address & 0xFFFF
            if kind == 0:
                self.registers[low] = data
            elif kind == 5:
                words[low & 255, low >> 8] = data
            else:
                cells[low >> 5 & 255, low & 31, low >> 13] = data
        word = [sum(int(b) << 8 * i for i, b in enumerate(row)) for row in words]
        nibbles = np.stack([cells & 15, cells >> 4], axis=-1).reshape(256, 256)
        if tiny:
            self.used = [w >> 31 == 0 for w in word]
            self.start = [(w & 0xFFF ^ 0x800) - 0x800 for w in word]
            self.threshold = [w >> 12 & 0xFFF for w in word]
            self.leak = [w >> 24 & 127 for w in word]
            self.weights = (nibbles ^ 8) - 8
        else:
            check(all(w & 1 for w in word), "every neuron is a LIF")
            self.used = [w >> 127 == 0 for w in word]
            self.start = [w >> 70 & 255 for w in word]
            self.threshold = [w >> 9 & 255 for w in word]
            self.leak = [(w >> 1 & 127) * (w >> 8 & 1) for w in word]
            check((nibbles[nibbles & 7 > 0] >= 8).all(), "a weight is mapped")
            sign = [1 - 2 * (self.registers[2 + p // 16] >> p % 16 & 1) for p in range(256)]
            self.weights = (nibbles & 7) * np.array(sign)[:, None]


def names_of(folder):
    rows = [line.split() for line in (folder / "names.txt").read_text().splitlines()[1:]]
    return ({(row[2], int(row[3])): int(row[0]) for row in rows if row[0] != "-"},
            {row[2]: row[4] for row in rows if row[1] == "input"})


def events(chip, seed):
    tiny, rng = chip == "tinyodin", np.random.default_rng(seed)
    network = Events(chip, rng, back=seed % 2 == 0)
    code, told = export("net", chip, network.text())
    check(code == 0, told)
    memories = Memories(WORK / "net", tiny)
    number, address = names_of(WORK / "net")
    n, inputs = network.weights.shape
    at = [number["n", k] for k in range(n)]
    rows = [number["x", k] for k in range(inputs) if ("x", k) in number]
    seen = [k for k in range(inputs) if ("x", k) in number]
    for name in ("start", "threshold", "leak"):
        check([getattr(memories, name)[a] for a in at] == getattr(network, name).tolist(), name)
    check((memories.weights[rows][:, at].T == network.weights[:, seen]).all(), "weights of inputs")
    check((memories.weights[at][:, at].T == network.own).all(), "weights of neurons")
    check(sum(memories.used) == n, "other numbers are silent")
    check(memories.registers[1] == int(not network.own.any()), "spikes come back where needed")
    check(address["time"] == ("001FF" if tiny else "0007F"), "the time reference")
    check(not tiny or memories.registers[3] == 255, "the last neuron that is visited")
    again = (WORK / "net" / "load.spi").read_bytes()
    export("net", chip, network.text())
    check((WORK / "net" / "load.spi").read_bytes() == again, "equal bytes")
    if network.own.any():
        return
    # What the memories compute, event by event, is what the engine says.
    ticks = 80
    x, time = np.zeros((ticks, inputs)), np.zeros((ticks, 1))
    v, want = np.array(memories.start)[at], []
    for tick in range(ticks):
        if rng.random() < .1:
            time[tick] = 1
            v = v - np.sign(v) * np.minimum(abs(v), np.array(memories.leak)[at])
        else:
            k = int(rng.integers(len(seen)))
            x[tick, seen[k]] = 1
            v = v + memories.weights[rows[k]][at]
        v = np.clip(v, -2048 if tiny else 0, 2047 if tiny else 255)
        fires = v >= np.array(memories.threshold)[at]
        v = np.where(fires, 0, v)
        want.append((fires, v))
    found = run("net", {"x": x, "time": time}, chip)
    check(found["s"].any() and (found["s"] == [f for f, _ in want]).all() and
          (found["v"] == [v for _, v in want]).all(),
          "what the memories compute")


GRID = ["ranc,mesh.tiles_x=2", "mesh.tiles_y=2", "limits.in_axons=16",
        "limits.compartments_per_core=16"]


class Layers:
    """Two layers of RANC, on a core each: axons of four types, one destination for each
    neuron of the first, as the second has one axon for each."""

    def __init__(self, rng, types=4):
        self.size = 12
        self.weights, self.parameters = [], []
        for _ in range(2):
            kinds = rng.integers(0, types, self.size)
            each = rng.integers(-40, 90, (self.size, types))
            self.weights.append(each[:, kinds] * (rng.random((self.size, self.size)) < .5))
            self.parameters.append({
                "leak": rng.integers(-5, 6, self.size), "positive": rng.integers(30, 90, self.size),
                "negative": rng.integers(-90, -20, self.size), "reset": rng.integers(0, 9, self.size),
                "linear": rng.integers(0, 2, self.size), "start": rng.integers(-9, 9, self.size)})

    def text(self, delay=3, both=False):
        lines = ["dend.network @case {", "  dend.clock @tick",
                 f"  dend.input @x on @tick : tensor<{self.size}xf64> as !dend.spike<binary>"]
        for k, parameters in enumerate(self.parameters):
            lines += [constant(f"{name}{k}", values) for name, values in parameters.items()]
            lines += [constant(f"W{k}", self.weights[k]),
                      neuron_text("ranc", f"neuron{k}", f"start{k}")]
            bind = ", ".join(f"{name} = @{name}{k}" for name in parameters if name != "start")
            lines.append(f"  dend.population @n{k} : @neuron{k}[{self.size}] on @tick "
                         f"bind {{{bind}}}")
        lines += ['  dend.project @x -> @n0["I"] #dend.dense weight @W0 delay 0',
                  f'  dend.project @n0["s"] -> @n1["I"] #dend.dense weight @W1 delay {delay}',
                  '  dend.output @s = @n1["s"]', '  dend.output @v = probe @n1["v"]']
        lines += ['  dend.output @t = @n0["s"]'] * both + ["}"]
        return "\n".join(lines) + "\n"


class GridMemories:
    """The cores that csram_NNN.mem and tc_NNN.mem say, and what they compute."""

    def __init__(self, folder, axons=16, width=2):
        self.axons, self.width, self.cores = axons, width, {}
        for path in sorted(folder.glob("csram_*.mem")):
            core = int(path.stem[-3:])
            types = [int(line, 2) for line in
                     (folder / f"tc_{core:03}.mem").read_text().split()]
            check(len(types) == axons, "a type for each axon")
            self.cores[core] = types, [self.neuron(row) for row in path.read_text().split()]

    def neuron(self, row):
        fields, at = {}, self.axons
        fields["syn"] = [int(bit) for bit in reversed(row[:at])]
        for name, bits in [("v", 9), ("reset", 9), *((f"w{k}", 9) for k in range(4)), ("leak", 9),
                           ("pos", 9), ("neg", 9), ("mode", 1), ("dx", 9), ("dy", 9), ("axon", 4),
                           ("tick", 4)]:
            value = int(row[at:at + bits], 2)
            fields[name] = value - (value >> 8 << 9) if bits == 9 else value
            at += bits
        check(at == len(row), "the length of a line")
        return fields

    def run(self, packets, ticks):
        """Spikes at the output bus, by tick; `packets` are (tick, core, axon, offset)."""
        rows = {core: np.zeros((ticks + 16, self.axons), int) for core in self.cores}
        for tick, core, axon, offset in packets:
            rows[core][tick + offset, axon] = 1
        def wrap(value):
            return (value + 256) % 512 - 256
        seen, state = [], {c: [n["v"] for n in neurons] for c, (_, neurons) in self.cores.items()}
        for tick in range(ticks):
            for core, (types, neurons) in self.cores.items():
                for k, n in enumerate(neurons):
                    u = state[core][k] + n["leak"] + sum(
                        n[f"w{types[a]}"] for a in np.flatnonzero(rows[core][tick]) if n["syn"][a])
                    u = wrap(u)
                    if u >= n["pos"]:
                        u = wrap(u - n["pos"]) if n["mode"] else n["reset"]
                        to = (core // self.width + n["dy"]) * self.width + \
                            core % self.width + n["dx"]
                        if to in self.cores:
                            rows[to][tick + 1 + n["tick"], n["axon"]] = 1
                        else:
                            seen.append((tick, n["axon"]))
                    elif u < n["neg"]:
                        u = wrap(u - n["neg"]) if n["mode"] else wrap(-n["reset"])
                    state[core][k] = u
        return seen


def grid(seed):
    rng = np.random.default_rng(seed)
    network, ticks = Layers(rng), 40
    target = ",".join(GRID)
    place = WORK / "placement.yaml"
    place.write_text("".join(f"- {{population: n{k}, first: 0, count: {network.size}, "
                             f"core: {core}}}\n" for k, core in enumerate((0, 2))))
    code, told = export("grid", "ranc", network.text(), "--target", target, "--placement", place)
    check(code == 0, told)
    memories = GridMemories(WORK / "grid")
    check(list(memories.cores) == [0, 1, 2], "all places but that of the bus")
    axon, shown = {}, {}
    for row in [line.split() for line in (WORK / "grid" / "names.txt").read_text().splitlines()]:
        if "packet" in row:
            axon[int(row[6])] = int(row[1]), int(row[3]), int(row[8][-4:], 2)
        elif row[0] == "bus":
            shown[int(row[1])] = int(row[4])
    x = (rng.random((ticks, network.size)) < .3).astype(float)
    packets = [(tick, *axon[k]) for tick, k in np.argwhere(x) if k in axon]
    spikes = np.zeros((ticks, network.size), int)
    for tick, at in memories.run(packets, ticks):
        spikes[tick, shown[at]] = 1
    found = run("grid", {"x": x}, target)
    check(spikes.sum() > 20 and (spikes == found["s"]).all(), "what the memories compute")
    door(WORK / "grid", memories, packets, ticks)


def run_folder(folder):
    """`run` of RANC's files, on the packets beside them."""
    done = subprocess.run([DENDROLITH, "run", folder, "--target",
                           "ideal,formats.weight_bits=9,synapse_memory.weight_bit_codes=9", "--out", f"{folder}_out",
                           "--report", "none"], capture_output=True, text=True)
    return done.returncode, done.stderr


def door(folder, memories, packets, ticks):
    """The folder is a model, too; files that are wrong are refused by line."""
    packets = sorted(packets)
    counts = np.bincount([tick for tick, *_ in packets], minlength=ticks)
    files = {"tb_num_inputs.txt": "".join(f"{count}\n" for count in counts),
             "tb_input.txt": "".join(f"{core % 2:09b}{core // 2:09b}{axon:04b}{offset:04b}\n"
                                     for _, core, axon, offset in packets)}
    for name, text in files.items():
        (folder / name).write_text(text)
    code, told = run_folder(folder)
    check(code == 0, told)
    want = np.zeros((ticks, 16), int)
    for tick, at in memories.run(packets, ticks):
        want[tick, at] = 1
    check((np.load(f"{folder}_out/outputs.npy")[:ticks] == want).all(), "run of the folder gives the bus")
    capsule = WORK / "grid.zip"
    done = subprocess.run([DENDROLITH, "capsule", f"{folder}_out", "--out", capsule], capture_output=True,
                          text=True)
    check(done.returncode == 0 and b"csram_002.mem" in capsule.read_bytes(), f"a capsule has the files: {done}")
    rows = (folder / "csram_002.mem").read_text().split("\n")
    at = next(i for i, row in enumerate(rows) if "1" in row[:16])
    late = rows[at][:-4] + "1111"
    for name, text, words in (
            ("csram_000.mem", "01x1\n", ("csram_000.mem:1", "'01x1'")),
            ("csram_000.mem", "/* no end", ("csram_000.mem:1", "'*/'")),
            ("csram_002.mem", "\n".join([*rows[:at], rows[at][2:], *rows[at + 1:]]),
             (f"csram_002.mem:{at + 1}", "123 bits", "122 bits")),
            ("csram_002.mem", "\n".join([*rows[:at], late, *rows[at + 1:]]), ("waits 0 to 14", "15")),
            ("csram_002.mem", "", ("one number of columns", "found 3, 2, 1")),
            ("tc_001.mem", "00\n", ("tc_001.mem", "types of 16 axons")),
            ("tc_000.mem", "100\n" * 16, ("tc_000.mem:1", "0 to 3")),
            ("tb_num_inputs.txt", "99999\n", ("tb_input.txt", "of tick 0")),
            ("tb_input.txt", f"{5:09b}{0:09b}00000000\n", ("tb_input.txt:1", "column 5, row 0")),
            ("tc_000.mem", None, ("tc_000.mem",))):
        old = (folder / name).read_text()
        (folder / name).write_text(text) if text is not None else (folder / name).unlink()
        code, told = run_folder(folder)
        check(code == 1 and all(word in told for word in words) and told.count("error:") == 1,
              f"{name}: {words}: {told}")
        (folder / name).write_text(old)
    for name in "csram_004.mem", "csram_1.mem", "tc_abc.mem":
        shutil.copy(folder / "tc_000.mem", folder / name)
        code, told = run_folder(folder)
        check(code == 1 and f"{name}: is of no core" in told, f"{name}: {told}")
        (folder / name).unlink()
    done = subprocess.run([DENDROLITH, "check", folder, "--target", "ranc,limits.in_axons=1"], capture_output=True, text=True)
    check("-:1:1" not in done.stdout and "population 'bus'" in done.stdout, f"no place in a text: {done.stdout}")


MESH = "catalyst-n1,mesh.tiles_x=2,mesh.tiles_y=1,limits.compartments_per_core=16"


class Mesh:
    """Two layers of Catalyst N1, on a core each: delays within the first, a synapse of
    each neuron to the second."""

    NAMES = ("threshold", "leak", "rest", "period", "low", "high")

    def __init__(self, rng, size=12):
        self.size = size
        self.into = rng.integers(-60, 200, (size, size)) * (rng.random((size, size)) < .4)
        self.own = rng.integers(-90, 90, (2, size, size)) * (rng.random((2, size, size)) < .3)
        self.across = rng.integers(1, 200, size)
        self.parameters = [
            [rng.integers(60, 160, size), rng.integers(0, 9, size), rng.integers(-5, 6, size),
             rng.integers(0, 3, size), np.full(size, -300), np.full(size, 4000)] for _ in range(2)]

    def text(self, delay=3, across=1, start=0):
        lines = ["dend.network @case {", "  dend.clock @step",
                 f"  dend.input @x on @step : tensor<{self.size}xf64> as !dend.spike<binary>",
                 constant("A", self.across), constant("B", self.into)]
        for k, values in enumerate(self.parameters):
            lines += [constant(f"{name}{k}", value) for name, value in zip(self.NAMES, values)]
            lines += [constant(f"W{k}", self.own[k]), constant(f"start{k}", np.full(self.size, start)),
                      neuron_text("catalyst-n1", f"neuron{k}").replace(
                          "%v : !dend.fx<24, 0> reset sample",
                          f"%v : !dend.fx<24, 0> reset sample init @start{k}")]
            bind = ", ".join(f"{name} = @{name}{k}" for name in self.NAMES)
            lines.append(f"  dend.population @n{k} : @neuron{k}[{self.size}] on @step bind {{{bind}}}")
        lines += ['  dend.project @x -> @n0["I"] #dend.dense weight @B delay 0',
                  f'  dend.project @n0["s"] -> @n0["I"] #dend.dense weight @W0 delay {delay}',
                  f'  dend.project @n0["s"] -> @n1["I"] #dend.diagonal weight @A delay {across}',
                  '  dend.project @n1["s"] -> @n1["I"] #dend.dense weight @W1 delay 1',
                  '  dend.output @s = @n1["s"]', '  dend.output @v = probe @n1["v"]', "}"]
        return "\n".join(lines) + "\n"


class MeshMemories:
    """What Catalyst N1 has after the bytes of load.uart, as its RTL takes them."""

    PAYLOAD = {1: 8, 2: 9, 6: 1, 7: 6, 8: 7, 0x0A: 4, 0x10: 9}

    def __init__(self, folder):
        self.parameter, self.pool, self.delay, self.lists, self.routes = {}, {}, {}, {}, {}
        for line in (folder / "load.uart").read_text().splitlines():
            command, *b = (int(word, 16) for word in line.split())
            check(len(b) == self.PAYLOAD[command], f"the bytes of {line}")
            two = [b[k] << 8 | b[k + 1] for k in range(len(b) - 1)]
            signed = ((two or [0])[-1] ^ 0x8000) - 0x8000
            if command == 7:
                self.parameter[b[0], two[1], b[3]] = signed
            elif command == 1:
                self.pool[b[0], two[1]] = (b[3] >> 4 & 3) << 8 | b[4], (b[3] >> 2 & 3) << 8 | b[5], signed
            elif command == 0x0A:
                self.delay[b[0], two[1]] = b[3]
            elif command == 8:
                check(two[5] >> 14 == 0, "the format of a list")
                self.lists[b[0], two[1]] = two[3], two[5] & 0x3FFF
            elif command in (2, 0x10):
                slot = b[3] + 8 * (command == 0x10)
                self.routes.setdefault((b[0], two[1]), {})[slot] = b[4], two[5], signed
            else:
                check(b == [0], "all flags are off")

    def run(self, stimuli, steps, cores=2, slots=16):
        """(spikes, potentials) by step; `stimuli` are {(core, neuron): value} by step."""
        arrives = [dict(each) for each in stimuli] + [{} for _ in range(70)]
        at = {key: (0, 0) for key in ((c, n) for c in range(cores) for n in range(slots))}
        found = []

        def add(step, where, weight):
            arrives[step][where] = arrives[step].get(where, 0) + weight
        for step in range(steps):
            fired = set()
            for (c, n), (v, r) in at.items():
                threshold, leak, rest, period, low, high = (
                    self.parameter.get((c, n, number), 0) for number in (0, 1, 2, 3, 30, 31))
                total = v + arrives[step].get((c, n), 0)
                if r:
                    v, r = rest, r - 1
                elif total - leak >= threshold:
                    fired.add((c, n))
                    v, r = rest, period
                else:
                    v = total - leak if total > leak else rest
                at[c, n] = min(max(v, low), high), r
            for c, n in fired:
                base, count = self.lists.get((c, n), (0, 0))
                for k in range(base, base + count):
                    check(self.pool[c, k][0] == n, "the source of an entry")
                    add(step + 1 + self.delay[c, k], (c, self.pool[c, k][1]), self.pool[c, k][2])
                for to, target, weight in self.routes.get((c, n), {}).values():
                    add(step + 1, (to, target), weight)
            found.append((fired, {key: v for key, (v, _) in at.items()}))
        return found


def mesh(seed):
    rng = np.random.default_rng(seed)
    network, steps = Mesh(rng), 60
    place = WORK / "placement.yaml"
    place.write_text("".join(f"- {{population: n{k}, first: 0, count: {network.size}, core: {k}}}\n"
                             for k in range(2)))
    code, told = export("mesh", "catalyst-n1", network.text(), "--target", MESH, "--placement", place)
    check(code == 0, told)
    memories = MeshMemories(WORK / "mesh")
    number, value = {}, {}
    for row in [line.split() for line in (WORK / "mesh" / "names.txt").read_text().splitlines()[1:]]:
        if row[4] == "neuron":
            number[row[5], int(row[6])] = int(row[1]), int(row[3])
        else:
            value.setdefault(int(row[6]), []).append(((int(row[1]), int(row[3])), int(row[8])))
    check(sum(v != 32767 for (_, _, p), v in memories.parameter.items() if p == 0) == 24 and
          sum(p == 0 for _, _, p in memories.parameter) == 32, "every threshold is written")
    x = (rng.random((steps, network.size)) < .3).astype(float)
    stimuli = [{} for _ in range(steps)]
    for step, k in np.argwhere(x):
        for where, weight in value.get(int(k), ()):
            stimuli[step][where] = stimuli[step].get(where, 0) + weight
    want = memories.run(stimuli, steps)
    found = run("mesh", {"x": x}, MESH)
    at = [number["n1", k] for k in range(network.size)]
    check(found["s"].any() and (found["s"] == [[key in fired for key in at] for fired, _ in want]).all()
          and (found["v"] == [[v[key] for key in at] for _, v in want]).all(), "what the memories compute")


for chip in ("odin", "tinyodin"):
    for seed in range(4):
        events(chip, seed)
for seed in range(4):
    grid(seed)
    mesh(seed)

rng = np.random.default_rng(9)
odin = Events("odin", rng)
both = odin.weights.copy()
both[:2, 3] = 5, -5
refused("odin", Events("odin", rng).text(weights=both), "input 'x', element 3", "both signs")
least = np.where(odin.weights < 0, -8, 0)
refused("odin", Events("odin", rng).text(weights=least), "a weight of -8", "-7 to 7")
refused("odin", Events("odin", rng).text(threshold=np.zeros(20)), "neuron 0 of 'n'", "a threshold of 0")
refused("odin", Events("odin", rng).text(leak=np.full(20, 128)), "a leak of 128", "0 to 127")
refused("tinyodin", Events("tinyodin", rng).text(start=np.full(20, -2049)), "a start at -2049")
refused("odin", odin.text().replace("dend.cmp ge", "dend.cmp gt"), "layer 'n'",
        "targets/odin/neuron.mlir")
single = odin.text().replace("dense<[[1], [1]", "dense<[[0], [1]")
check(single != odin.text(), "a time reference without neuron 0")
refused("odin", single, "input 'time', element 0", "19 of 20 neurons", "single events", "a row of its own")
refused("odin", odin.text().replace("dend.cmp ge", "dend.cmp gt"), "Izhikevich")
refused("odin", odin.text(), "give --target odin", more=["--target", "ideal"])
wide = Events("odin", rng, 40, 220)
wide.own[:, 1:] = 0
wide.own[0, 0] = 1
refused("odin", wide.text(), "40 neurons and 220 inputs", "256 for both")
refused("ranc", Layers(rng, 6).text(), "4 types of axons", more=["--target", ",".join(GRID)])
refused("ranc", Layers(rng).text(both=True), "in output 't'", "one destination",
        more=["--target", ",".join(GRID)])
refused("ranc", Layers(rng).text(delay=0), "of 'n0'", "a delay of 0 ticks", "give the projection",
        more=["--target", ",".join(GRID)])
refused("catalyst-n1", Mesh(rng).text(start=3), "a start at 3", "holds 0 to 0", more=["--target", MESH])
refused("catalyst-n1", Mesh(rng).text(across=4), "of 'n0'", "a delay of 4 steps to another core",
        more=["--target", MESH, "--placement", WORK / "placement.yaml"])

# compile and check refuse what export does.
for chip, text, words in (
        ("odin", Events("odin", rng).text(weights=both), ("input 'x', element 3", "both signs", "divide")),
        ("odin", odin.text().replace("dend.cmp ge", "dend.cmp gt"),
         ("layer 'n'", "targets/odin/neuron.mlir")),
        ("odin", wide.text(), ("40 neurons and 220 inputs", "256 for both", "take away")),
        ("odin", Events("odin", rng).text(leak=np.full(20, 128)), ("neuron 0 of 'n'", "loader.leak_min")),
        ("odin", single, ("input 'time', element 0", "single events")),
        (",".join(GRID), Layers(rng, 6).text(), ("loader.axon_types", "fewer different weights"))):
    (WORK / "asked.mlir").write_text(text)
    for command in ("compile", "check"):
        done = subprocess.run([DENDROLITH, command, WORK / "asked.mlir", "--target", chip],
                              capture_output=True, text=True)
        check(done.returncode == 1 and all(word in done.stdout + done.stderr for word in words),
              f"{command} says {words}: {done.stdout} {done.stderr}")
LIF = HERE.parents[1] / "models" / "lif"
for chip in ("odin", "tinyodin", "ranc"):
    done = subprocess.run([DENDROLITH, "compile", LIF / "shapes_lif.nir", "--target", chip, "--calibrate",
                           LIF / "calib_x.npy"], capture_output=True, text=True)
    check(done.returncode == 1 and "lif1" in done.stderr and f"targets/{chip}/neuron.mlir" in done.stderr,
          f"real numbers: {done.stderr}")
(WORK / "asked.mlir").write_text(odin.text())
for chip, code in (("odin", 0), ("odin,loader.leak_max=5", 1), ("odin,loader.numbers=40", 1)):
    done = subprocess.run([DENDROLITH, "check", WORK / "asked.mlir", "--target", chip], capture_output=True)
    check(done.returncode == code, f"a limit is the chip's: {chip}")
# A crossbar has room for every neuron at every row: 256 rows and the time reference, which
# takes no synapses. Spikes of a full chip go to itself and to the bus.
for chip in ("odin", "tinyodin"):
    for n, inputs, code in ((250, 6, 0), (250, 7, 1)):
        full = Events(chip, rng, n, inputs)
        (WORK / "asked.mlir").write_text(full.text(own=rng.integers(1, 8, (n, n))))
        done = subprocess.run([DENDROLITH, "compile", WORK / "asked.mlir", "--target", chip],
                              capture_output=True, text=True)
        told = done.stdout + done.stderr
        check(done.returncode == code and ("258 in-axons" if code else " 8,19") in told,
              f"{n} neurons and {inputs} inputs of '{chip}': {told}")
print(f"all passed: {checks} checks")

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Are spikes, potentials and clocks those of RANC's RTL?

    grid.py [FOLDER_OR_CASE...] [--dendrolith build/bin/dendrolith] [--engines LIST] [--keep DIR]

A recorded case becomes a network with the neuron of targets/ranc: a population for each
core, and for each axon the weights that its type selects. An axon holds one spike a
tick: where several sources share one, the axons are a population of their own, which
runs on `ideal` and in two steps a tick, so that its clocks are not compared.
"""
import json
import pathlib
import sys

from events import CLOCK, HERE, SHARED, Unexpressed, compare_all, constant, neuron_text, run

import numpy as np

WORD = "!dend.fx<9, 0>"
AXON = f"""  dend.neuron @axon ports(%I : {WORD}) params() states(%v : {WORD} reset sample)
      outputs(s : !dend.spike<binary>) {{
    %zero = dend.literal 0 : i64 as {WORD}
    %s = dend.cmp gt %I, %zero : ({WORD}, {WORD}) -> i1
    dend.yield states(%zero : {WORD}) emit(%s : i1)
  }}
"""
PARAMETERS = {"leak": "leak", "positive": "pos", "negative": "neg", "reset": "reset",
              "linear": "mode"}


class Case:
    def __init__(self, path):
        self.build(json.loads(pathlib.Path(path).read_text()))

    def build(self, read):
        meta, self.recorded = read["meta"], read["recorded"]
        self.width, self.height = meta["grid"]
        self.size, self.axons = meta["neurons"], meta["axons"]
        self.ticks = len(self.recorded["ticks"])
        self.cores = {int(c): core for c, core in read["cores"].items()}
        self.inputs = read["inputs"]
        self.out = tuple(meta["output"])
        self.sources = {}  # (core, axon) -> [(core, neuron, offset)]
        for c, core in self.cores.items():
            for n, neuron in enumerate(core["neurons"]):
                at = (c % self.width + neuron["dx"], c // self.width + neuron["dy"])
                to = at[1] * self.width + at[0]
                if at != self.out and to in self.cores:
                    self.sources.setdefault((to, neuron["axon"]), []).append(
                        (c, n, neuron["tick"]))
        offsets = [o for found in self.sources.values() for _, _, o in found]
        offsets += [o for events in self.inputs for *_, o in events]
        if max(offsets, default=0) > 14:
            raise Unexpressed("an offset of 15, which falls into the row that is read")
        fed = {(c, a) for events in self.inputs for c, a, _ in events}
        # An input has a place for each axon that the host reaches.
        self.fed = {c: sorted(a for at, a in fed if at == c) or [0] for c in self.cores}
        self.shared = any(len(found) + (axon in fed) > 1
                          for axon, found in self.sources.items())

    def host(self):
        """By core, tick and axon, whether the host's spikes are seen."""
        seen = {c: np.zeros((self.ticks, len(fed))) for c, fed in self.fed.items()}
        for tick, events in enumerate(self.inputs):
            for core, axon, offset in events:
                if tick + offset < self.ticks:
                    seen[core][tick + offset, self.fed[core].index(axon)] = 1
        return seen

    def spikes(self, core):
        starts = np.array(self.recorded["ticks"])
        found = np.zeros((self.ticks, self.size), int)
        for clock, at, neuron in self.recorded["spikes"]:
            if at == core:
                found[np.searchsorted(starts, clock) - 1, neuron] = 1
        return found

    def potentials(self, core):
        """Before each tick."""
        return np.array([v for _, at, v in self.recorded["potentials"] if at == core])

    def network(self):
        lines = ["dend.network @case {", "  dend.clock @tick", AXON if self.shared else ""]
        ends = []
        for c, core in self.cores.items():
            neurons, fed = core["neurons"], self.fed[c]
            axons = range(self.axons) if self.shared else fed
            lines += [constant(f"{name}{c}", [n[key] for n in neurons])
                      for name, key in PARAMETERS.items()]
            lines += [constant(f"start{c}", [n["v"] for n in neurons]),
                      neuron_text("ranc", f"neuron{c}", f"start{c}"),
                      constant(f"W{c}", [[n["syn"][a] * n["w"][core["types"][a]]
                                          for a in axons] for n in neurons]),
                      f"  dend.input @x{c} on @tick : tensor<{len(fed)}xf64> as "
                      "!dend.spike<binary>"]
            bind = ", ".join(f"{name} = @{name}{c}" for name in PARAMETERS)
            lines.append(f"  dend.population @n{c} : @neuron{c}[{self.size}] on @tick "
                         f"bind {{{bind}}}")
            source = f"x{c}"
            if self.shared:
                lines += [f"  dend.population @a{c} : @axon[{self.axons}] on @tick",
                          constant(f"one{c}", np.ones(len(fed))),
                          constant(f"F{c}", [[a, i] for i, a in enumerate(fed)])]
                ends.append(f'  dend.project @x{c} -> @a{c}["I"] #dend.sparse weight @one{c} '
                            f"indices @F{c} delay 0")
                source = f'a{c}'
            of = f'@{source}["s"]' if self.shared else f"@{source}"
            ends += [f'  dend.project {of} -> @n{c}["I"] #dend.dense weight @W{c} delay 0',
                     f'  dend.output @s{c} = @n{c}["s"]', f'  dend.output @v{c} = probe @n{c}["v"]']
        return "\n".join(lines + self.lists(ends) + ["}"]) + "\n"

    def lists(self, ends):
        """Adds what neurons send: by source, target and offset a list of (target, source,
        weight)."""
        found = {}
        for (to, axon), sources in self.sources.items():
            for c, n, offset in sources:
                row = found.setdefault((c, to, offset), [])
                if self.shared:
                    row.append((axon, n, 1))
                    continue
                core = self.cores[to]
                row += [(k, n, neuron["w"][core["types"][axon]])
                        for k, neuron in enumerate(core["neurons"]) if neuron["syn"][axon]]
        for (c, to, offset), rows in found.items():
            if not rows:
                continue
            at, rows = f"{c}to{to}d{offset}", sorted(rows, key=lambda row: (row[1], row[0]))
            ends += [constant(f"L{at}", [w for *_, w in rows]),
                     constant(f"X{at}", [[k, n] for k, n, _ in rows]),
                     f'  dend.project @n{c}["s"] -> @{"a" if self.shared else "n"}{to}["I"] '
                     f"#dend.sparse weight @L{at} indices @X{at} delay {offset + 1}"]
        return ends

    @property
    def target(self):
        if self.shared:
            return "ideal"
        each = (self.axons + 2) * CLOCK["ranc"]
        return (f"ranc,mesh.tiles_x={self.width},mesh.tiles_y={self.height},"
                f"limits.compartments_per_core={self.size},limits.in_axons={self.axons},"
                f"timing.fpga.update_active={each},timing.fpga.update_inactive={each}")


    def packets(self):
        """By each spike that reaches a core of the grid: hops, clocks, and by how many
        clocks its axon is behind the tick's end."""
        arrivals = {}
        for clock, *where in sorted(self.recorded.get("deliveries", [])):
            arrivals.setdefault(tuple(where), []).append(clock)
        for clock, core, n in self.recorded["spikes"]:
            neuron = self.cores[core]["neurons"][n]
            hops = abs(neuron["dx"]) + abs(neuron["dy"])
            to = core + neuron["dx"] + neuron["dy"] * self.width
            found = arrivals.get((to, neuron["axon"], neuron["tick"]), [])
            at = np.searchsorted(found, clock + 6 + 2 * hops)
            if at == len(found):
                continue  # to the output bus
            began = max(tick for tick in self.recorded["ticks"] if tick <= clock)
            yield hops, found[at] - clock, found[at] - began - 2 - self.size * (self.axons + 2)


def compare_grid(path, dendrolith, engines, folder):
    case = Case(path)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "case.mlir").write_text(case.network())
    for c, seen in case.host().items():
        np.save(folder / f"x{c}.npy", seen)
    (folder / "placement.yaml").write_text("".join(
        f"- {{population: n{c}, first: 0, count: {case.size}, core: {c}}}\n" for c in case.cores))
    values, lengths, found = 0, 0, []
    for engine in engines:
        more = [] if case.shared else ["--placement", "placement.yaml"]
        outputs, result, length = run(dendrolith, folder, engine, case.target,
                                      [f"x{c}" for c in case.cores], *more)
        first = None
        for c in case.cores:
            spikes, potentials = case.spikes(c), case.potentials(c)
            ours = {k: np.asarray(outputs[f"{k}{c}"]).reshape(case.ticks, -1).astype(int)
                    for k in "sv"}
            for what, have, want in (("spike", ours["s"], spikes),
                                     ("potential", ours["v"][:-1], potentials[1:])):
                values += want.size
                for tick, n in np.argwhere(have != want)[:1]:
                    if first is None or tick < first[0]:
                        first = tick, (f"{engine}: {what} of core {c}, neuron {n}, tick {tick}: "
                                       f"RTL {want[tick, n]}, here {have[tick, n]}")
        found += [first[1]] if first else []
        if engine == "cycle" and not case.shared:
            phase = result["schedule"]["populations"][f"n{min(case.cores)}"]["phase"]
            cleared = dict.fromkeys(range(case.ticks), 0)
            for clock, _ in case.recorded["clear"]:
                tick = int(np.searchsorted(case.recorded["ticks"], clock)) - 1
                cleared[tick] = max(cleared[tick], clock - case.recorded["ticks"][tick])
            lengths = len(cleared)
            for tick, want in cleared.items():
                have = length[tick + phase] / CLOCK["ranc"]
                if have != want:
                    found.append(f"cycle: tick {tick} takes {want} clocks in the RTL, {have:g} here")
                    break
    PACKETS.extend(case.packets())
    return values, lengths, found


def packet_line():
    more = [clocks - 6 - 2 * hops for hops, clocks, _ in PACKETS]
    return (f"{len(PACKETS):,} packets: {more.count(0):,} take 6 clocks and 2 for each hop, others up to "
            f"{max(more)} more; {sum(late > 0 for *_, late in PACKETS)} arrive behind the tick's end, "
            f"by {max(late for *_, late in PACKETS)} clocks at most")


PACKETS = []

if __name__ == "__main__":
    code = compare_all(__doc__, [HERE / "grid", SHARED / "data" / "rtl_ranc"], compare_grid)
    if PACKETS:
        print(packet_line())
    sys.exit(code)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/dendrolith/order.py.
"""ODIN's and tinyODIN's queue: the recorded order of events, and what was lost.

    order_test.py DENDROLITH
"""
import json
import os
import pathlib
import shutil
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
SHARED = pathlib.Path(os.environ.get("DENDROLITH_SHARED", ROOT.parent / "shared"))
os.environ["DENDROLITH_BIN"] = sys.argv[1]
sys.path.insert(0, str(ROOT / "runtime" / "python"))
sys.path.insert(0, str(ROOT / "tests" / "rtl"))
sys.dont_write_bytecode = True
import numpy as np  # noqa: E402
from dendrolith.order import Crossbar, Event, compare  # noqa: E402
from events import Case, Unexpressed, constant, neuron_text  # noqa: E402

checks = 0


def check(fine, what):
    global checks
    checks += 1
    if not fine:
        sys.exit(f"failed: {what}")


def event_of(chip, address):
    """What an address of the input bus means."""
    high, low = address >> 8, address & 255
    if chip == "tinyodin":
        if high & 1:
            return Event(neuron=None if low == 255 else low, timed=True)
        if not high:
            return Event(source=low)
        weight = (low >> 4 ^ 8) - 8
        return Event(neuron=low & 15, weight=weight) if weight else Event(source=low & 15)
    if high >> 8:
        return Event(source=high & 255, neuron=low)
    if low & 127 == 127:
        return Event(neuron=None if low == 127 else high, timed=True)
    if low < 8:
        return Event(source=high)
    weight = (low >> 5) * (-1 if low >> 4 & 1 else 1)
    if low >> 3 & 1:
        return Event(neuron=high, timed=True)
    return Event(neuron=high, weight=weight) if low >> 3 else Event(source=high)


def recorded(path):
    """Plays what a recording was given; the numbers of operations and lost spikes."""
    read = json.loads(path.read_text())
    case = Case(path)
    chip = Crossbar(case.chip, *({n: value for n, value in zip(case.names, values)} for values in
                                 (case.threshold, case.leak, case.start)), dict(case.weights),
                    not case.config.get("open_loop", 0), frozenset(case.disabled))
    bursts = [[]]
    for address, *gap in read["stimulus"]:
        if address == "idle":
            bursts.append([])
        elif address != "run":
            bursts[-1].append(event_of(case.chip, address))
    done = [each for burst in bursts for each in chip.play(burst)]
    check(len(done) == len(case.ops), f"{path.stem}: {len(done)} events, recorded {len(case.ops)}")
    fired = [[n for n, spike in zip(case.names, row) if spike and n not in case.disabled]
             for row in case.spikes()]
    for k, (have, want) in enumerate(zip(done, case.ops)):
        check((have.event.source, have.event.neuron, have.event.timed) ==
              (want.source, want.neuron, bool(want.timed)), f"{path.stem}: event {k}: {have.event}")
        check(have.fired == fired[k], f"{path.stem}: event {k} fires {have.fired}, not {fired[k]}")
    lost = [neuron for each in done for neuron in each.lost]
    check(lost == [neuron for _, neuron in case.recorded.get("lost", [])], f"{path.stem}: what is lost")
    return len(done), len(lost)


# 40 neurons that fire at one event: 31 wait behind it, 9 are lost.
full = Crossbar("odin", {n: 7 for n in range(40)}, {n: 0 for n in range(40)}, {n: 0 for n in range(40)},
                {(200, n): 7 for n in range(40)})
first, *rest = full.play([Event(source=200)])
check(first.fired == list(range(40)) and first.lost == list(range(31, 40)), "31 have room")
check([each.event.source for each in rest] == list(range(31)), "first in, first out")
# A time reference passes what waits, and behind an input one that waits is taken.
chip = Crossbar("odin", {n: 7 for n in range(3)}, {n: 0 for n in range(3)}, {n: 0 for n in range(3)},
                {(200, n): 7 for n in range(3)})
order = [each.event.source for each in chip.play([Event(source=200), Event(timed=True),
                                                  Event(source=201)])]
check(order == [200, None, 0, 1, 2, 201], f"time passes: {order}")

found = {}
for chip in ("odin", "tinyodin"):
    for path in sorted((SHARED / "data" / f"rtl_{chip}").glob("*.json")):
        try:
            # Gaps of its own between inputs, and the mode that shows each write, need clocks.
            if path.stem.startswith("t10"):
                continue
            events, lost = recorded(path)
        except Unexpressed:
            continue
        found[chip] = [a + b for a, b in zip(found.get(chip, (0, 0, 0)), (1, events, lost))]
for chip, (cases, events, lost) in found.items():
    print(f"{chip}: {cases} recordings, {events} events in the recorded order, {lost} lost spikes")

# A network trained in steps: within a step the chip fires when it is reached.
folder = pathlib.Path(tempfile.mkdtemp())
lines = ["dend.network @net {", "  dend.clock @step", constant("W", [[7, 7, 7], [0, 5, 6]]),
         constant("each", np.ones((2, 1))), constant("threshold", [10, 8]), constant("leak", [1, 1]),
         neuron_text("odin"), "  dend.input @x on @step : tensor<3xf64> as !dend.spike<binary>",
         "  dend.input @time on @step : tensor<1xf64> as !dend.spike<binary>",
         "  dend.population @n : @neuron[2] on @step bind {threshold = @threshold, leak = @leak}",
         '  dend.project @x -> @n["I"] #dend.dense weight @W delay 0',
         '  dend.project @time -> @n["T"] #dend.dense weight @each delay 0',
         '  dend.output @s = @n["s"]', "}"]
(folder / "net.mlir").write_text("\n".join(lines) + "\n")
x = np.zeros((1, 3, 3))
x[0, 0], x[0, 1], x[0, 2] = [1, 1, 1], [1, 0, 0], [0, 1, 0]
np.save(folder / "x.npy", x)
np.save(folder / "t.npy", np.ones((1, 3, 1)))
np.save(folder / "y.npy", [0])
told = compare(str(folder / "net.mlir"), "odin",
               [f"x={folder / 'x.npy'}", f"time={folder / 't.npy'}"], str(folder / "y.npy"))
shutil.rmtree(folder)
# By hand, in the true order: neuron 0 has 7, 14 and fires, 7, 6 behind the reference; 13 and
# fires; 7. In steps it fires at 21 - 1; 7 - 1; fires at 6 + 7 - 1. Neuron 1 fires once in both.
check(told == {"events": 8, "spikes": 3, "lost": 0, "outputs": 6, "differ": 2, "answers": 0,
               "true": 1.0, "steps": 1.0}, told)
print(f"all passed: {checks} checks")

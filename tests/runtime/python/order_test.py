# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests simulator/functional/rows/EventOrder.cpp,
# compiler/transforms/schedule/DendSchedule.cpp.
"""ODIN's and tinyODIN's queue: the recorded order of events, and what was lost, by the
model of few lines and by both engines.

    order_test.py DENDROLITH
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
SHARED = pathlib.Path(os.environ.get("DENDROLITH_SHARED", ROOT.parent / "shared"))
os.environ["DENDROLITH_BIN"] = sys.argv[1]
sys.path.insert(0, str(ROOT / "runtime" / "python"))
sys.path.insert(0, str(ROOT / "tests" / "rtl"))
sys.dont_write_bytecode = True
import dendrolith as dl  # noqa: E402
import numpy as np  # noqa: E402
from crossbar import Crossbar, Event  # noqa: E402
from events import CLOCK, Case, Unexpressed, constant, neuron_text, run  # noqa: E402

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


def column(case, event):
    """The weights of an event at each neuron of a case, and its port."""
    if event.source is not None and event.neuron is None:
        return [case.weights[event.source, n] for n in case.names], "I"
    weight = event.weight if event.source is None else case.weights[event.source, event.neuron]
    return [(event.neuron in (None, n)) * (1 if event.timed else weight)
            for n in case.names], "T" if event.timed else "I"


def network(case, bursts):
    """A network of ticks, each of them a burst: an input for each event, in such an order
    that each burst has its own in the order of inputs; and their values."""
    order, at = [], []
    for burst in bursts:
        # Alone, it finds an empty queue.
        if len(burst) > 1 and any(None not in (each.source, each.neuron) for each in burst):
            raise Unexpressed("a single synapse, which passes what waits")
        place, found = 0, []
        for event in burst:
            while place < len(order) and order[place] != event:
                place += 1
            if place == len(order):
                order.append(event)
            found.append(place)
            place += 1
        at.append(found)
    closed = not case.config.get("open_loop", 0)
    back = np.array([[case.weights[pre, post] for pre in case.names] for post in case.names])
    # Spikes that come back and reach nobody need somebody here: one that never fires.
    more = int(closed and not back.any())
    n = len(case.names) + more
    if n > case.slots:
        raise Unexpressed("spikes that come back and reach nobody, on a full core")
    lines = ["dend.network @case {", "  dend.clock @event", constant("start", case.start + [0] * more),
             constant("threshold", case.threshold + [255] * more),
             constant("leak", case.leak + [0] * more), neuron_text(case.chip, start="start")]
    inputs, projects = {}, []
    for k, event in enumerate(order):
        weights, port = column(case, event)
        lines += [constant(f"w{k}", [[weight] for weight in weights + [0] * more]),
                  f"  dend.input @e{k} on @event : tensor<1xf64> as !dend.spike<binary>"]
        projects.append(f'  dend.project @e{k} -> @n["{port}"] #dend.dense weight @w{k} delay 0')
        inputs[f"e{k}"] = np.array([[k in found] for found in at], np.uint8)
    lines.append(f"  dend.population @n : @neuron[{n}] on @event "
                 "bind {threshold = @threshold, leak = @leak}")
    if closed:
        back = np.pad(back, (0, more)) - np.outer(np.arange(n) == n - 1, np.ones(n)).astype(int) * more
        lines += [constant("R", back),
                  '  dend.project @n["s"] -> @n["I"] #dend.dense weight @R delay 1']
    lines += projects + ['  dend.output @s = @n["s"]', '  dend.output @v = probe @n["v"]', "}"]
    return "\n".join(lines) + "\n", inputs


def engines(case, bursts, done, folder):
    """The same in both engines: spikes and watched potentials of each burst, how many
    events there were and how many spikes were lost, and the clocks of each event."""
    if case.disabled:
        raise Unexpressed("neurons whose spikes go nowhere")
    text, inputs = network(case, [burst for burst in bursts if burst])
    (folder / "case.mlir").write_text(text)
    for name, values in inputs.items():
        np.save(folder / f"{name}.npy", values)
    ends = np.cumsum([len(each) for each in done if each])
    names = len(case.names)
    spikes = np.add.reduceat(case.spikes(), np.r_[0, ends[:-1]], axis=0)
    clocks = 0
    for engine in ("functional", "cycle"):
        outputs, result, length = run(sys.argv[1], folder, engine, case.target(case.slots), inputs)
        have = {k: np.asarray(outputs[k]).reshape(len(ends), -1)[:, :names].astype(int) for k in "sv"}
        name = f"{case.name}, {engine}"
        check((have["s"] == spikes).all(), f"{name}: spikes of bursts")
        watched = [case.names.index(n) for n in case.watch]
        check((have["v"][:, watched] == case.potentials[ends - 1]).all(), f"{name}: potentials")
        lost = len(case.recorded.get("lost", []))
        check((result["events"]["taken"], result["events"]["lost"]) == (len(case.ops), lost),
              f"{name}: {result['events']}, recorded {len(case.ops)} and {lost}")
    for i, want in case.lengths():
        if case.ops[i].sweeps:
            clocks += 1
            check(length[i + 1] == want * CLOCK[case.chip],
                  f"{case.name}: event {i} takes {want} clocks, here {length[i + 1]} ps")
    return spikes.size + have["v"].size, clocks


def recorded(path):
    """Plays what a recording was given; the numbers of operations and lost spikes, and of
    values and clocks that the engines have."""
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
    taken = [list(chip.play(burst)) for burst in bursts]
    done = sum(taken, [])
    check(len(done) == len(case.ops), f"{path.stem}: {len(done)} events, recorded {len(case.ops)}")
    fired = [[n for n, spike in zip(case.names, row) if spike and n not in case.disabled]
             for row in case.spikes()]
    for k, (have, want) in enumerate(zip(done, case.ops)):
        check((have.event.source, have.event.neuron, have.event.timed) ==
              (want.source, want.neuron, bool(want.timed)), f"{path.stem}: event {k}: {have.event}")
        check(have.fired == fired[k], f"{path.stem}: event {k} fires {have.fired}, not {fired[k]}")
    lost = [neuron for each in done for neuron in each.lost]
    check(lost == [neuron for _, neuron in case.recorded.get("lost", [])], f"{path.stem}: what is lost")
    with tempfile.TemporaryDirectory() as folder:
        try:
            same = (1, *engines(case, bursts, taken, pathlib.Path(folder)))
        except Unexpressed as reason:
            print(f"{path.stem}: not in the engines: {reason}")
            same = 0, 0, 0
    return len(done), len(lost), *same


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
            numbers = recorded(path)
        except Unexpressed:
            continue
        found[chip] = [a + b for a, b in zip(found.get(chip, (0,) * 6), (1, *numbers))]
for chip, (cases, events, lost, there, values, clocks) in found.items():
    print(f"{chip}: {cases} recordings, {events} events in the recorded order, {lost} lost spikes; "
          f"{there} in both engines, {values} values and {clocks} lengths")

def written(folder, weights, threshold, inputs, loop=None, delay=1, more=()):
    """A network of one population on ODIN with inputs `x` and `time`."""
    n = len(weights)
    lines = ["dend.network @net {", "  dend.clock @step", constant("W", weights),
             constant("each", np.ones((n, 1))), constant("threshold", threshold),
             constant("leak", np.ones(n)), neuron_text("odin"),
             f"  dend.input @x on @step : tensor<{len(weights[0])}xf64> as !dend.spike<binary>",
             "  dend.input @time on @step : tensor<1xf64> as !dend.spike<binary>",
             f"  dend.population @n : @neuron[{n}] on @step "
             "bind {threshold = @threshold, leak = @leak}",
             '  dend.project @x -> @n["I"] #dend.dense weight @W delay 0',
             '  dend.project @time -> @n["T"] #dend.dense weight @each delay 0']
    if loop is not None:
        lines += [constant("R", loop),
                  f'  dend.project @n["s"] -> @n["I"] #dend.dense weight @R delay {delay}']
    lines += [*more, '  dend.output @s = @n["s"]', "}"]
    (folder / "case.mlir").write_text("\n".join(lines) + "\n")
    for name, values in inputs.items():
        np.save(folder / f"{name}.npy", values)


def refused(folder, target, *words):
    done = subprocess.run([sys.argv[1], "run", "case.mlir", "--target", target, *words],
                          cwd=folder, capture_output=True, text=True)
    check(done.returncode == 1 and not done.stdout, f"{target} is refused: {done.stdout}")
    return done.stderr


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    # A network trained in steps: within a step the chip fires when it is reached. By hand, in
    # the true order: neuron 0 has 7, 14 and fires, 7, 6 behind the reference; 13 and fires; 7.
    # In steps it fires at 21 - 1; 7 - 1; fires at 6 + 7 - 1. Neuron 1 fires once in both.
    x = np.array([[[1, 1, 1], [1, 0, 0], [0, 1, 0]]], np.uint8)
    inputs = {"x": x, "time": np.ones((1, 3, 1), np.uint8)}
    written(folder, [[7, 7, 7], [0, 5, 6]], [10, 8], inputs)
    np.save(folder / "y.npy", [0])
    for engine in ("functional", "cycle"):
        outputs, result, _ = run(sys.argv[1], folder, engine, "odin", inputs, "--labels", "y.npy",
                                 "--compare", "reference")
        values = np.load(folder / engine / "outputs.npy")
        check(values.reshape(3, 2).tolist() == [[1, 1], [1, 0], [0, 0]], f"{engine}: {values}")
        steps = result["events"].pop("by_steps")
        check(result["events"] == {"places": 32, "taken": 8, "lost": 0}, f"{result['events']}")
        check(steps == {"output_values": 6, "different_values": 2, "score": 1}, f"{engine}: {steps}")
        other = result["compare"]
        check((other["different_values"], other["output_values"], other["same_class"]) == (2, 6, 1) and
              result["score"]["value"] == other["score"]["value"] == 1, f"{engine}: {other}")
        check(result["steps"] == 9 and result["counts"]["total"]["steps"] == 9, "a step for each event")
    # Without being asked, too, and each event stands beside its step.
    _, result, _ = run(sys.argv[1], folder, "cycle", "odin", inputs)
    check(result["events"]["by_steps"] == {"output_values": 6, "different_values": 2, "score": None} and
          result["compare"] is None, f"{result['events']}")
    rows = json.loads((folder / "cycle" / "tables.json").read_text())["latency"]["steps"]
    found = [tuple(row["event"].values()) for row in rows if "event" in row]
    check([row.get("step") for row in rows if "event" in row] == list(range(1, 9)) and
          found == [(0, "x", 0), (0, "x", 1), (0, "x", 2), (0, "time", 0), (1, "x", 0), (1, "time", 0),
                    (2, "x", 1), (2, "time", 0)], f"{found}")
    _, result, _ = run(sys.argv[1], folder, "functional", "odin,scheduling.queue=0", inputs)
    values = np.load(folder / "functional" / "outputs.npy").reshape(3, 2)
    check(values.tolist() == [[1, 1], [0, 0], [1, 0]] and "events" not in result, f"by steps: {values}")

    # Spikes come back: 0 makes 1 fire, 1 makes 0 reach 5 and 2 fire, each an event of its own.
    inputs = {"x": np.array([[[1], [0], [1]]], np.uint8), "time": np.array([[[0], [1], [0]]], np.uint8)}
    loop = [[0, 5, 0], [7, 0, 0], [0, 7, 0]]
    written(folder, [[7], [0], [0]], [6, 7, 7], inputs, loop, delay=1)
    for engine in ("functional", "cycle"):
        outputs, result, _ = run(sys.argv[1], folder, engine, "odin", inputs)
        values = np.load(folder / engine / "outputs.npy").reshape(3, 3)
        check(values.tolist() == [[1, 1, 1], [0, 0, 0], [1, 1, 1]], f"{engine}: {values}")
        check(result["events"]["taken"] == 9 and result["counts"]["total"]["spikes"]["binary"] == 6,
              f"{engine}: {result['events']}")
    # The same, stepped: the state is kept.
    with dl.load(folder / "case.mlir").compile("odin").stepper() as stepper:
        for k in range(3):
            step = stepper.step({name: array[0, k:k + 1] for name, array in inputs.items()})
            check(np.asarray(step).reshape(-1).tolist() == values[k].tolist(), f"stepped {k}: {step}")

    # 40 neurons fire at one event, and of their spikes 31 have a place.
    inputs = {"x": np.ones((2, 2, 1), np.uint8), "time": np.zeros((2, 2, 1), np.uint8)}
    written(folder, [[7]] * 40, [7] * 40, inputs, np.zeros((40, 40)) + np.eye(40))
    for engine in ("functional", "cycle"):
        outputs, result, length = run(sys.argv[1], folder, engine, "odin", inputs)
        total = result["counts"]["total"]
        check([result["events"][key] for key in ("places", "taken", "lost")] == [32, 4 * 32, 4 * 9] and
              total["spikes"]["binary"] == 160 and sum(value for key, value in total.items()
                                                         if key.startswith("neuron_updates")) == 4 * 32 * 40, f"{engine}: {result['events']}")
    printed = subprocess.run([sys.argv[1], "run", "case.mlir", "--target", "odin", "--input",
                              "x=x.npy", "--input", "time=time.npy"], cwd=folder,
                             capture_output=True, text=True).stdout
    check("Events: 128 taken one by one, 36 spikes lost in the queue of 32; order changed 0 of 160 output values" in printed, printed)

    # What never ends, and what has a time of its own.
    written(folder, [[7], [0]], [7, 7], inputs, [[0, 7], [7, 0]])
    told = refused(folder, "odin", "--input", "x=x.npy", "--input", "time=time.npy")
    check("tick 0: its spikes cause others without an end" in told and "raise thresholds" in told, told)
    written(folder, [[7], [0]], [7, 7], inputs, [[0, 1], [1, 0]], delay=2)
    told = refused(folder, "odin", "--input", "x=x.npy", "--input", "time=time.npy")
    check("layer 'n': the delay from 'n' is 2 ticks" in told and "take a delay of 0" in told, told)
print(f"all passed: {checks} checks")

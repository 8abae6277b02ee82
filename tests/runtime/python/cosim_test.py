# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/dendrolith/cosim.py, runtime/python/dendrolith/order.py, targets/*/bench.v.
"""An open chip's Verilog beside the cycle engine.

    cosim_test.py DENDROLITH
    DENDROLITH_RTL=FOLDER cosim_test.py DENDROLITH    # checkouts, too

tests/rtl/chips stands in for the chips. With a change in it, the first difference is named;
a checkout that does not build, is another chip's or never rests ends within the limit.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
os.environ["DENDROLITH_BIN"] = sys.argv[1]
sys.path.insert(0, str(ROOT / "runtime" / "python"))
sys.path.insert(0, str(ROOT / "tests" / "rtl"))
sys.dont_write_bytecode = True
import numpy as np  # noqa: E402
from dendrolith.cosim import cosim  # noqa: E402
from dendrolith.errors import DendrolithError  # noqa: E402
from events import constant, neuron_text  # noqa: E402

WORK = pathlib.Path(tempfile.mkdtemp())
tempfile.tempdir = str(WORK)  # beside no other run
STAND_IN = ROOT / "tests" / "rtl" / "chips"
RTL = pathlib.Path(os.environ.get("DENDROLITH_RTL", "/none"))
checks = 0


def check(fine, what):
    global checks
    checks += 1
    if not fine:
        shutil.rmtree(WORK)
        sys.exit(f"failed: {what}")


def network(chip, weights, own=None, leak=3, threshold=12):
    """A network of a chip of events: inputs x and time, neurons n."""
    n, inputs = weights.shape
    lines = ["dend.network @net {", "  dend.clock @event", constant("W", weights),
             constant("each", np.ones((n, 1))), constant("threshold", np.full(n, threshold)),
             constant("leak", np.full(n, leak)), neuron_text(chip),
             f"  dend.input @x on @event : tensor<{inputs}xf64> as !dend.spike<binary>",
             "  dend.input @time on @event : tensor<1xf64> as !dend.spike<binary>",
             f"  dend.population @n : @neuron[{n}] on @event "
             "bind {threshold = @threshold, leak = @leak}",
             '  dend.project @x -> @n["I"] #dend.dense weight @W delay 0',
             '  dend.project @time -> @n["T"] #dend.dense weight @each delay 0']
    if own is not None:
        lines += [constant("R", own), '  dend.project @n["s"] -> @n["I"] #dend.dense weight @R delay 1']
    (WORK / "net.mlir").write_text("\n".join(lines + ['  dend.output @s = @n["s"]', "}"]) + "\n")


def play(events, inputs, ticks):
    """Writes (tick, element) events, -1 for the time reference; the options."""
    x, t = np.zeros((ticks, inputs)), np.zeros((ticks, 1))
    for tick, k in events:
        (t if k < 0 else x)[tick, max(k, 0)] = 1
    np.save(WORK / "x.npy", x)
    np.save(WORK / "t.npy", t)
    return [f"x={WORK / 'x.npy'}", f"time={WORK / 't.npy'}"]


def compare(chip, rtl, given, **more):
    return cosim(str(WORK / "net.mlir"), chip, str(rtl), given, **more)


def refused(*words, chip="odin", rtl=STAND_IN, given=(), **more):
    before = set(pathlib.Path(tempfile.gettempdir()).glob("dendrolith-cosim-*"))
    try:
        compare(chip, rtl, list(given), **more)
    except DendrolithError as error:
        check(all(word in str(error) for word in words), f"{words}: {error}")
        after = set(pathlib.Path(tempfile.gettempdir()).glob("dendrolith-cosim-*"))
        check(after <= before, "nothing is left behind")
        return
    check(False, f"{words}: not refused")


def changed(old, new, file="ODIN.v"):
    """A folder with a stand-in in which one thing is another."""
    folder = WORK / f"changed_{file}"
    folder.mkdir(exist_ok=True)
    text = (STAND_IN / file).read_text()
    check(old in text, old)
    (folder / file).write_text(text.replace(old, new))
    return folder


def folders_of_programs():
    for at in pathlib.Path("/proc").glob("[0-9]*/cwd"):
        try:
            yield os.readlink(at)
        except OSError:
            continue


def both(old, new):
    """As `changed`, tinyODIN with the memories of ODIN."""
    shutil.copy(STAND_IN / "ODIN.v", changed(old, new, "tinyODIN.v"))
    return WORK / "changed_tinyODIN.v"


def everything(chip, rtl, size, **more):
    rng = np.random.default_rng(3)
    weights = rng.integers(0, 8, (size, 9))
    weights[:, 7:] *= -1
    network(chip, weights)
    given = play([(t, -1 if t % 7 == 6 else int(rng.integers(9))) for t in range(24)], 9, 24)
    target = chip if chip == "odin" else f"{chip},limits.compartments_per_core={size}"
    told = compare(target, rtl, given, **more)
    check("equal: 24 operations" in told and f" {24 * size} potentials" in told, told)
    return given, told


def full_queue(rtl, **more):
    """Two inputs of ODIN at which 40 neurons fire, and each stops itself."""
    network("odin", np.full((40, 2), 7), own=-np.eye(40), threshold=7)
    return compare("odin", rtl, play([(0, 0), (0, -1), (1, 1)], 2, 2), **more)


GRID = ("ranc,mesh.tiles_x=2,mesh.tiles_y=2,limits.in_axons=16,limits.compartments_per_core=16,"
        "timing.fpga.update_inactive=180000,timing.fpga.update_active=180000")


def grid(rtl, size=12, ticks=20, **more):
    """Two layers of RANC, on a core each."""
    rng = np.random.default_rng(4)
    lines = ["dend.network @net {", "  dend.clock @tick",
             f"  dend.input @x on @tick : tensor<{size}xf64> as !dend.spike<binary>"]
    for k in range(2):
        values = {"leak": rng.integers(-5, 6, size), "positive": rng.integers(30, 90, size),
                  "negative": rng.integers(-90, -20, size), "reset": rng.integers(0, 9, size),
                  "linear": rng.integers(0, 2, size)}
        weights = rng.integers(20, 90, (size, 1)) * (rng.random((size, size)) < .5)
        lines += [constant(f"{name}{k}", value) for name, value in values.items()]
        lines += [constant(f"W{k}", weights), neuron_text("ranc", f"neuron{k}")]
        bind = ", ".join(f"{name} = @{name}{k}" for name in values)
        lines.append(f"  dend.population @n{k} : @neuron{k}[{size}] on @tick bind {{{bind}}}")
    lines += ['  dend.project @x -> @n0["I"] #dend.dense weight @W0 delay 0',
              '  dend.project @n0["s"] -> @n1["I"] #dend.dense weight @W1 delay 3',
              '  dend.output @s = @n1["s"]', "}"]
    (WORK / "net.mlir").write_text("\n".join(lines) + "\n")
    (WORK / "place.yaml").write_text("".join(
        f"- {{population: n{k}, first: 0, count: {size}, core: {core}}}\n"
        for k, core in enumerate((0, 2))))
    np.save(WORK / "x.npy", (rng.random((ticks, size)) < .3).astype(float))
    return compare(GRID, rtl, [f"x={WORK / 'x.npy'}"],
                   options=["--placement", str(WORK / "place.yaml")], **more)


def mesh(rtl, size=12, steps=30, **more):
    """Two layers of Catalyst N1, on a core each: delays within the first, one synapse of each
    neuron to the second."""
    rng = np.random.default_rng(5)
    lines = ["dend.network @net {", "  dend.clock @step", constant("A", rng.integers(1, 200, size)),
             f"  dend.input @x on @step : tensor<{size}xf64> as !dend.spike<binary>"]
    for k in range(2):
        values = {"threshold": rng.integers(60, 160, size), "leak": rng.integers(0, 9, size),
                  "rest": rng.integers(-5, 6, size), "period": rng.integers(0, 3, size),
                  "low": np.full(size, -300), "high": np.full(size, 4000)}
        weights = rng.integers(-60, 150, (2, size, size)) * (rng.random((2, size, size)) < .3)
        lines += [constant(f"{name}{k}", value) for name, value in values.items()]
        lines += [constant(f"W{k}", weights[0]), constant(f"X{k}", weights[1]),
                  neuron_text("catalyst-n1", f"neuron{k}")]
        bind = ", ".join(f"{name} = @{name}{k}" for name in values)
        lines.append(f"  dend.population @n{k} : @neuron{k}[{size}] on @step bind {{{bind}}}")
    lines += ['  dend.project @x -> @n0["I"] #dend.dense weight @X0 delay 0',
              '  dend.project @n0["s"] -> @n0["I"] #dend.dense weight @W0 delay 3',
              '  dend.project @n0["s"] -> @n1["I"] #dend.diagonal weight @A delay 1',
              '  dend.project @n1["s"] -> @n1["I"] #dend.dense weight @W1 delay 1',
              '  dend.output @s = @n1["s"]', "}"]
    (WORK / "net.mlir").write_text("\n".join(lines) + "\n")
    (WORK / "place.yaml").write_text("".join(
        f"- {{population: n{k}, first: 0, count: {size}, core: {k}}}\n" for k in range(2)))
    np.save(WORK / "x.npy", (rng.random((steps, size)) < .3).astype(float))
    return compare("catalyst-n1,mesh.tiles_x=2,mesh.tiles_y=1,limits.compartments_per_core=16", rtl,
                   [f"x={WORK / 'x.npy'}"], options=["--placement", str(WORK / "place.yaml")], **more)


if not shutil.which("iverilog"):
    network("odin", np.ones((1, 1)))
    refused("apt install iverilog")
    shutil.rmtree(WORK)
    print("skipped: needs Icarus Verilog")
    sys.exit(77)

given, _ = everything("odin", STAND_IN, 5)
refused("fires in the cycle engine, and not in the RTL", "input 'x', element", "of 'n'", given=given,
        rtl=changed("fires = potential >= word", "fires = potential > word"))
refused("has the potential", given=given, rtl=changed("word[8] ? word[7:1] : 0", "word[7:2]"))
refused("takes 514 clocks in the RTL, 513 in the cycle engine", given=given,
        rtl=changed("      for (n = 0; n < 256", "      @(posedge CLK);\n      for (n = 0; n < 256"))

# The command hands its options to the package, and both speak of a difference once.
words = [sys.argv[1], "cosim", WORK / "net.mlir", STAND_IN, "--target", "odin",
         *(word for text in given for word in ("--input", text))]
path = {"PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"}
done = subprocess.run(words, capture_output=True, text=True, env={
    **os.environ, **path, "PYTHONPATH": str(ROOT / "runtime" / "python")})
check(done.returncode == 0 and "equal: 24 operations" in done.stdout, done.stdout + done.stderr)
done = subprocess.run([*words[:3], WORK / "none", *words[4:]], capture_output=True, text=True, env={
    **os.environ, **path, "PYTHONPATH": str(ROOT / "runtime" / "python")})
check(done.returncode == 1 and done.stderr.count("error:") == 1 and "expected a checkout" in
      done.stderr, done.stderr)

# Two neurons that never stop.
network("odin", np.full((2, 2), 7), own=np.array([[0, 7], [7, 0]]), threshold=7)
refused("its spikes cause others without an end", "raise thresholds", given=play([(0, 0), (0, 1)], 2, 2))

# A chain fires by itself: what follows an input are events of their own.
chain = np.zeros((4, 4))
chain[[1, 2, 3], [0, 1, 2]] = 7
network("odin", np.eye(4, 1) * 7, own=chain, threshold=7)
told = compare("odin", STAND_IN, play([(0, 0), (6, 0)], 1, 12))
check("equal: 10 operations, 8 spikes" in told, told)
# Events that meet are taken one after the other, in the order of the queue.
told = compare("odin", STAND_IN, play([(0, 0), (2, 0)], 1, 12))
check("equal: 10 operations, 8 spikes" in told, told)
check("18 lost in the queue" in full_queue(STAND_IN), "9 of 40 spikes have no place, twice")
refused("operation", given=play([(0, 0), (0, -1), (1, 1)], 2, 2),
        rtl=changed("if (!open && scheduler_0.count < 32)", "if (!open && scheduler_0.count < 31)"))
network("odin", np.eye(4, 1) * 7, own=chain, threshold=7)
refused("operation 1 (tick 0, the spike of neuron 0 of 'n')", given=play([(0, 0), (6, 0)], 1, 12),
        rtl=changed("if (!open && ", "if (0 && "))
refused("did not end within 3 s", given=play([(0, 0)], 1, 4), limit=3,
        rtl=changed("scheduler_0.count = scheduler_0.count - 1;", ""))

# A command that is ended leaves neither its folder nor a simulator.
here = WORK / "ended"
here.mkdir()
network("odin", np.eye(4, 1) * 7, own=chain, threshold=7)
slow = changed("scheduler_0.count = scheduler_0.count - 1;", "")
words = [sys.argv[1], "cosim", WORK / "net.mlir", slow, "--target", "odin",
         *(word for text in play([(0, 0)], 1, 4) for word in ("--input", text))]
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    running = subprocess.Popen(words, env={**os.environ, **path, "TMPDIR": str(here),
                                           "PYTHONPATH": str(ROOT / "runtime" / "python")})
    until = time.monotonic() + 60
    while not list(here.glob("*/bench")) and time.monotonic() < until:
        time.sleep(.05)
    time.sleep(.2)
    (folder,) = here.iterdir()
    running.send_signal(number)
    check(running.wait(20) == 128 + number and not list(here.iterdir()), f"{number!r} leaves nothing")
    check(not any(str(folder) in at for at in folders_of_programs()), "no simulator runs on")

# A builder that hangs.
folder = WORK / "hangs"
folder.mkdir()
(folder / "iverilog").write_text("#!/bin/sh\nexec sleep 100\n")
(folder / "iverilog").chmod(0o755)
old, os.environ["PATH"] = os.environ["PATH"], f"{folder}:{os.environ['PATH']}"
refused("iverilog, which builds the RTL, did not end within 1 s", "--version", given=play([(0, 0)], 1, 4), limit=1)
os.environ["PATH"] = old

# What is wrong is said, and nothing is left.
started = time.monotonic()
refused("no RTL of 'loihi1' is known", chip="loihi1")
refused("expected a checkout of 'odin' with Verilog", rtl=WORK / "none")
refused("module tinyODIN", chip="tinyodin", rtl=changed("0", "0"))
refused("iverilog, which builds the RTL, failed", "ODIN.v", given=play([(0, 0)], 1, 2),
        rtl=changed("endmodule\n\nmodule ODIN", "endmodul\n\nmodule ODIN"))
(WORK / "bad.npy").write_text("no array")
for file, why in (("bad", "of another kind"), ("none", "No such file")):
    refused("--input", f"{file}.npy", why, given=[f"x={WORK / file}.npy"])
given = play([(0, 0)], 1, 4)
refused("is given twice", given=[*given, given[0]])
refused("no spike reaches a neuron", given=play([], 1, 4))
np.save(WORK / "own.npy", np.full((4, 1), np.nan))
refused(f"'{WORK}/own.npy'", "found nan", given=[f"x={WORK / 'own.npy'}", given[1]])
tempfile.tempdir = "/none"
refused("TMPDIR: expected a folder", given=given)
tempfile.tempdir = str(WORK)
np.save(WORK / "x.npy", np.zeros((2, 3, 1)))
np.save(WORK / "t.npy", np.zeros((2, 3, 1)))
refused("2 samples", given=[f"x={WORK / 'x.npy'}", f"time={WORK / 't.npy'}"])
(WORK / "net.mlir").write_text("dend.network @net {\n")
refused("net.mlir:")
check(time.monotonic() - started < 60, "errors come soon")

tiny, _ = everything("tinyodin", STAND_IN, 5)
if shutil.which("verilator"):
    everything("tinyodin", STAND_IN, 5, engine="verilator")
    refused("has the potential", chip="tinyodin,limits.compartments_per_core=5", given=tiny, engine="verilator",
            rtl=both("potential > leak ?", "potential > 2 * leak ?"))
    refused("verilator, which builds the RTL,", given=tiny, engine="verilator", chip="tinyodin",
            rtl=changed("endmodule\nmodule TinyS", "endmodul\nmodule TinyS", "tinyODIN.v"))
refused("expected icarus or verilator", engine="vcs")
refused("--engine icarus", chip="ranc", engine="verilator")
for old, new, words in (("potential > leak ?", "potential > 2 * leak ?", "has the potential"),
                        ("if (!timed) @(posedge CLK)", "if (!timed) repeat (2) @(posedge CLK)", "clocks in the RTL")):
    refused(words, chip="tinyodin,limits.compartments_per_core=5", given=tiny, rtl=both(old, new))
for network_of, operations in ((grid, 20), (mesh, 30)):
    told = network_of(STAND_IN)
    check(f"equal: {operations} operations" in told, told)
for network_of, old, new, words in (
        (grid, "potential >= above", "potential > above + 20", "in the RTL, 8 in the cycle engine"),
        (grid, "* (NUM_AXONS + 2) + 2", "* (NUM_AXONS + 2) + 3", "takes 291 clocks in the RTL, 290"),
        (mesh, "x >= own", "x > own", "fires in the cycle engine, and not in the RTL"),
        (mesh, "acc[route[k]] = sent", "acc[route[k]] = acc[route[k]] + 2 * sent", "in the RTL"),
        (mesh, "clocks + 37", "clocks + 36", "clocks in the RTL")):
    try:
        told = network_of(changed(old, new, "RANCNetworkGrid.v" if network_of is grid else
                                  "neuromorphic_top.v"))
        check(False, f"{old}: {told}")
    except DendrolithError as error:
        check(words in str(error), f"{old}: {error}")

# The cells of a chip's modules.
if shutil.which("yosys"):
    folder = WORK / "area"
    folder.mkdir()
    (folder / "tinyODIN.v").write_text("""
module SRAM_4x4(input clk, input [1:0] a, output reg [3:0] q);
  reg [3:0] m [0:3];
  always @(posedge clk) q <= m[a];
endmodule
module half #(parameter N = 2) (input clk, input [N-1:0] a, b, output reg [N-1:0] y);
  always @(posedge clk) y <= a & b;
endmodule
module tinyODIN(input clk, input [2:0] a, b, output [2:0] y, z, output [3:0] q);
  half #(.N(3)) h0(clk, a, b, y);
  half #(.N(3)) h1(clk, b, y, z);
  SRAM_4x4 s(clk, a[1:0], q);
endmodule
""")
    area = [sys.executable, ROOT / "tests" / "rtl" / "area.py", "tinyodin"]
    done = subprocess.run([*area, folder, "--dendrolith", sys.argv[1]], capture_output=True, text=True)
    told = done.stdout.split()
    check("tinyodin: 12 cells in 'tinyODIN', without SRAM_*" in done.stdout and
          told[told.index("half") + 1:][:6] == ["2", "x", "6", "cells,", "3", "flip-flops,"], done.stdout + done.stderr)
    done = subprocess.run([*area, WORK / "none"], capture_output=True, text=True)
    check(done.returncode == 1 and "expected a checkout of 'tinyodin'" in done.stderr, done.stderr)

for engine in ("icarus", "verilator"):
    if not shutil.which(engine.replace("icarus", "iverilog")):
        continue
    more = {"engine": engine}
    for folder, play_all in (("ODIN", lambda rtl: everything("odin", rtl, 20, **more)[1]),
                             ("ODIN", lambda rtl: full_queue(rtl, **more)),
                             ("tinyODIN", lambda rtl: everything("tinyodin", rtl, 20, **more)[1]),
                             ("RANC", lambda rtl: grid(rtl, **more)),
                             ("catalyst-n1", lambda rtl: mesh(rtl, **more))):
        if (RTL / folder).is_dir() and (engine, folder) != ("verilator", "RANC"):
            told = play_all(RTL / folder)
            check("equal: " in told, told)
            print(f"{folder}: {told}", flush=True)
shutil.rmtree(WORK)
print(f"all passed: {checks} checks")

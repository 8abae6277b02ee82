# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/lowering/Variants.cpp, compiler/mapping/in_order/SliceMeter.cpp.
"""Neurons that differ in their branches: 128 neurons and four branches, each present
for 56 of them. States, spikes and traces against plain integers in every engine, on
one core and over several; instructions of a step counted by hand: 224 branch updates,
not 512; and one synapse list a source for all neurons of a core."""
import subprocess

from support import FOLDER, DENDROLITH, check, dendrolith, np, result_of

N, TICKS, INPUTS = 128, 12, 3
RANGES = [(0, 56), (24, 80), (48, 104), (72, 128)]
BRANCHES = sum(end - begin for begin, end in RANGES)
assert BRANCHES == 224
rng = np.random.default_rng(5)
present = np.array([[begin <= n < end for n in range(N)] for begin, end in RANGES])
keep = rng.integers(1000, 4000, (4, N))
theta = rng.integers(100, 900, N)
W = rng.integers(1, 120, (N, INPUTS))
x = rng.integers(0, 2, (TICKS, INPUTS))
x[:, 0] = 1  # every neuron has input at each tick


def text(values):
    flat = ["true" if v else "false" for v in values] if values.dtype == bool else values
    return ", ".join(map(str, flat))


def model():
    fx, wide = "!dend.fx<24, 0>", "!dend.fx<40, -12>"
    params = "".join(f"%has{j} : i1 per_neuron, %keep{j} : !dend.fx<16, -12> per_neuron, "
                     for j in range(4))
    states = ", ".join(f"%v{j} : {fx} reset sample" for j in range(4))
    body = f"    %zero = dend.literal 0 : i64 as {fx}\n"
    for j in range(4):
        body += f"""    %n{j}, %c{j} = dend.when %has{j} keep(%v{j}, %zero : {fx}, {fx}) -> ({fx}, {fx}) {{
      %wide = dend.mul %v{j}, %keep{j} : ({fx}, !dend.fx<16, -12>) -> {wide}
      %decayed = dend.rescale %wide round floor overflow wrap : ({wide}) -> {fx}
      %v = dend.add %decayed, %I : ({fx}, {fx}) -> {fx}
      %up = dend.max %v, %floor : ({fx}, {fx}) -> {fx}
      dend.give %v, %up : {fx}, {fx}
    }}
"""
    body += f"""    %s01 = dend.add %c0, %c1 : ({fx}, {fx}) -> {fx}
    %s012 = dend.add %s01, %c2 : ({fx}, {fx}) -> {fx}
    %s = dend.add %s012, %c3 : ({fx}, {fx}) -> {fx}
    %spike = dend.cmp gt %s, %theta : ({fx}, {fx}) -> i1
    dend.yield states(%n0, %n1, %n2, %n3 : {fx}, {fx}, {fx}, {fx}) emit(%spike : i1)
"""
    constants = f"""  dend.constant @theta : tensor<{N}xi32> = dense<[{text(theta)}]> : tensor<{N}xi32>
  dend.constant @floor : tensor<i32> = dense<150> : tensor<i32>
  dend.constant @W : tensor<{N}x{INPUTS}xi8> = dense<[{", ".join(f"[{text(row)}]" for row in W)}]> : tensor<{N}x{INPUTS}xi8>
"""
    bind = "theta = @theta, floor = @floor"
    for j in range(4):
        constants += f"""  dend.constant @has{j} : tensor<{N}xi1> = dense<[{text(present[j])}]> : tensor<{N}xi1>
  dend.constant @keep{j} : tensor<{N}xi16> = dense<[{text(keep[j])}]> : tensor<{N}xi16>
"""
        bind += f", has{j} = @has{j}, keep{j} = @keep{j}"
    probes = "".join(f'  dend.output @v{j} = probe @p["v{j}"]\n' for j in range(4))
    return f"""dend.network @branches {{
  dend.clock @t
  dend.input @x on @t : tensor<{INPUTS}xf64> as !dend.spike<binary>
  dend.neuron @dendrite ports(%I : {fx})
      params({params}%floor : {fx}, %theta : {fx} per_neuron)
      states({states})
      outputs(s : !dend.spike<binary>) {{
{body}  }}
{constants}  dend.population @p : @dendrite[{N}] on @t bind {{{bind}}}
  dend.project @x -> @p["I"] #dend.dense weight @W delay 0
  dend.output @spikes = @p["s"]
{probes}}}
"""


def expected():
    v = np.zeros((4, N), dtype=int)
    for now in x:
        v = np.where(present, (v * keep >> 12) + W @ now, 0)
        up = np.where(present, np.maximum(v, 150), 0)
        yield (up.sum(axis=0) > theta).astype(int), v


file = FOLDER / "branches.mlir"
file.write_text(model())
np.save(FOLDER / "x.npy", x.astype(float))
spikes, states = map(np.array, zip(*expected()))
check(0 < spikes.sum() < spikes.size, f"{spikes.sum()} spikes of {spikes.size}")
assert ((states != 0) == present).all()

# A branch: mul (v, keep), add (I), max (floor), move into v; each branch beyond the
# first of a neuron joins by an add; then cmp (theta), emit.
COUNTS = dict(issue=4 * BRANCHES + (BRANCHES - N) + 2 * N, load=4 * BRANCHES + N,
              store=BRANCHES, move=BRANCHES, multiply=BRANCHES,
              add=BRANCHES + (BRANCHES - N), compare=BRANCHES + N, emit=N)
SPLIT = "loihi2,limits.compartments_per_core=50"
for target, engine in (("ideal", "reference"), ("ideal", "functional"), ("loihi2", "functional"),
                       ("loihi2", "cycle"), (SPLIT, "functional"), (SPLIT, "cycle")):
    name = f"{target}-{engine}"
    verify = [] if engine == "reference" else ["--verify"]
    traces = ["--trace", ",".join(f"p:v{j}" for j in range(4))]
    dendrolith("run", file, "--target", target, "--input", FOLDER / "x.npy", "--engine", engine,
            "--out", FOLDER / name, *verify, *traces)
    result = result_of(FOLDER / name)
    outputs = np.load(FOLDER / name / "outputs.npz")
    traced = np.load(FOLDER / name / "traces.npz")
    check((outputs["spikes"] == spikes).all(), f"{name}: spikes equal plain integers")
    check(all((outputs[f"v{j}"] == states[:, j]).all() for j in range(4)) and
          all((traced[f"p:v{j}"].reshape(TICKS, N) == states[:, j]).all() for j in range(4)),
          f"{name}: states equal plain integers, 0 where a branch is absent")
    if engine == "reference":
        continue
    total = result["counts"]["total"]
    check(total["neuron_updates_active"] == N * TICKS, f"{name}: every update runs")
    for kind, count in total["microcode"].items():
        check(count == TICKS * COUNTS.get(kind, 0),
              f"{name}: {COUNTS.get(kind, 0)} {kind} a step")
    fit = {row["resource"]: row for row in result["fit"]}
    check(fit["in-axons"]["used"] == INPUTS, f"{name}: one in-axon a source on a core")
    note = result["policies"]["programs of p"]
    check(note.startswith("7: neurons 0-23 run 6 instructions with 1 state; neurons 24-47 "
                          "run 11 instructions with 2 states"), f"{name}: {note[:90]}...")

# A trace that no neuron has is refused with all that some have.
failed = subprocess.run([DENDROLITH, "run", file, "--target", "loihi2", "--input",
                         FOLDER / "x.npy", "--out", FOLDER / "none",
                         "--trace", "p:w"], capture_output=True, text=True)
check(failed.returncode == 1 and "'v0', 'v1', 'v2', 'v3', 's'" in failed.stderr,
      f"a trace of no state: {failed.stderr.strip()}")

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/transforms/schedule/Schedule.cpp,
# dialects/dend/reference/Clocks.cpp.
"""Divided clocks, held ports, resets by clock, sums over rates and unary spikes
against plain Python; the schedule, the spikes and the time of a program by hand."""

import json
import subprocess

from support import DENDROLITH, FOLDER, ROOT, check, dendrolith, np, result_of

# A token's input is held over four micro ticks and integrated; spikes leave by
# subtraction; the potential starts again with each token. A counter on the token
# clock adds up the micro ticks' spikes, and its value comes back to the soma in
# the next token.
NETWORK = """
dend.network @clocks {
  dend.clock @token
  dend.clock @micro divides @token by 4
  dend.input @x on @token : tensor<2xf64> as !dend.spike<int, -6, 9>
  dend.neuron @soma ports(%I : !dend.fx<16, 0> hold @token, %back : !dend.fx<16, 0>)
      params(%theta : !dend.fx<16, 0>) states(%v : !dend.fx<16, 0> reset @token)
      outputs(s : !dend.spike<binary>) {
    %a = dend.add %v, %I : (!dend.fx<16, 0>, !dend.fx<16, 0>) -> !dend.fx<16, 0>
    %b = dend.add %a, %back : (!dend.fx<16, 0>, !dend.fx<16, 0>) -> !dend.fx<16, 0>
    %s, %v1 = dend.fire %b, %theta reset subtract : (!dend.fx<16, 0>, !dend.fx<16, 0>) -> (i1, !dend.fx<16, 0>)
    dend.yield states(%v1 : !dend.fx<16, 0>) emit(%s : i1)
  }
  dend.neuron @counter ports(%n : !dend.fx<16, 0>) outputs(n : !dend.spike<int, -3, 3>) {
    %two = dend.literal 2 : i64 as !dend.fx<16, 0>
    %m = dend.sub %n, %two : (!dend.fx<16, 0>, !dend.fx<16, 0>) -> !dend.fx<16, 0>
    dend.yield emit(%m : !dend.fx<16, 0>)
  }
  dend.constant @theta : tensor<i16> = dense<100> : tensor<i16>
  dend.constant @W : tensor<3x2xi8> = dense<[[9, 2], [-3, 11], [7, 7]]> : tensor<3x2xi8>
  dend.constant @ones : tensor<1x3xi8> = dense<1> : tensor<1x3xi8>
  dend.constant @down : tensor<3x1xi8> = dense<[[-20], [15], [10]]> : tensor<3x1xi8>
  dend.population @S : @soma[3] on @micro bind {theta = @theta}
  dend.population @C : @counter[1] on @token
  dend.project @x -> @S["I"] #dend.dense weight @W delay 0
  dend.project @S -> @C["n"] #dend.dense weight @ones delay 0
  dend.project @C -> @S["back"] #dend.dense weight @down delay 1
  dend.output @spikes = @S["s"]
  dend.output @v = probe @S["v"]
  dend.output @count = @C["n"]
}
"""
TOKENS = 30
rng = np.random.default_rng(5)
x = rng.integers(-6, 10, (TOKENS, 2))
np.save(FOLDER / "x.npy", x.astype(float))
(FOLDER / "clocks.mlir").write_text(NETWORK)

W, DOWN = [[9, 2], [-3, 11], [7, 7]], [-20, 15, 10]
spikes, potential, counts, last = [], [], [], 0
for now in x.tolist():
    v, total = [0] * 3, 0
    for micro in range(4):
        fired = []
        for n in range(3):
            current = W[n][0] * now[0] + W[n][1] * now[1]  # held
            back = DOWN[n] * last if micro == 0 else 0     # seen once
            v[n] += current + back
            fired.append(int(v[n] > 100))
            v[n] -= 100 * fired[n]
        spikes.append(fired)
        potential.append(list(v))
        total += sum(fired)
    last = max(-3, min(3, total - 2))
    counts.append([last])

# Binary spikes on the mesh, while the host may inject signed integers.
BINARY = "loihi2-binary,host.payload_bits=5,host.sign=true"
results = {}
for target, engine in (("ideal", "reference"), ("loihi2", "functional"), ("loihi2", "cycle"),
                       (BINARY, "functional"), (BINARY, "cycle")):
    out = FOLDER / f"{target}-{engine}"
    verify = [] if engine == "reference" else ["--verify"]
    dendrolith("run", FOLDER / "clocks.mlir", "--target", target, "--engine", engine,
            "--input", FOLDER / "x.npy", "--out", out, *verify)
    got = dict(np.load(out / "outputs.npz"))
    check((got["spikes"] == spikes).all() and (got["v"] == potential).all() and
          (got["count"] == counts).all(), f"{engine} on {target} equals plain integers")
    results[target, engine] = result_of(out)

# Token by token, as `serve` steps a program, with tokens in pieces of 1 to 3.
for target in ("loihi2", BINARY):
    requests = [{"do": "compile", "name": "p", "args": [str(FOLDER / "clocks.mlir"), "--target", target]}]
    for again in (True, False):
        for first in range(0, TOKENS, 3):
            for i, piece in enumerate((x[first:first + 1], x[first + 1:first + 3])[:2] if again
                                      else (x[first:first + 3],)):
                file = FOLDER / f"piece{again}{first}.{i}.npy"
                np.save(file, piece.astype(float))
                requests.append({"do": "step", "name": "p", "args": [f"--input={file}"],
                                 "anew": first + i == 0})
    done = subprocess.run([DENDROLITH, "serve"], input="".join(json.dumps(r) + "\n" for r in requests),
                          capture_output=True, text=True, timeout=120)
    answers = [json.loads(line).get("ok") for line in done.stdout.splitlines()][1:]
    check(all(answers), f"every piece has an answer: {done.stdout[-400:]}")
    for run in (answers[:20], answers[20:]):
        for name, want in (("spikes", spikes), ("v", potential), ("count", counts)):
            got = np.concatenate([np.reshape(a["outputs"][name]["values"], a["outputs"][name]["shape"])
                                  for a in run])
            check((got == want).all(), f"{target}: {name} in pieces")

# x enters in step 0, S updates in steps 1 to 4, C reads all of them in step 5 and
# reaches S again in step 6 at the earliest: period 5. Unary, C sends over three
# steps, 5 to 7, so that S may start in step 8: period 7.
for target, period in (("loihi2", 5), (BINARY, 7)):
    schedule = results[target, "cycle"]["schedule"]
    check(schedule["period_steps"] == period, f"{target}: period {period}")
    check(results[target, "cycle"]["counts"]["total"]["steps"] ==
          (TOKENS - 1) * period + schedule["depth_steps"], f"{target}: steps of a run")
total = {target: results[target, "cycle"]["counts"]["total"]["spikes"]
         for target in ("loihi2", BINARY)}
values = np.array(counts)
check(total["loihi2"]["graded"] == np.count_nonzero(values), "one graded spike per value")
check(total[BINARY]["unary"] == np.abs(values).sum(), "a unary spike per unit")
check(total["loihi2"]["binary"] == total[BINARY]["binary"] == np.sum(spikes),
      "binary spikes are the same")

# The time of a program: one LIF neuron that is active in every step takes, with
# one lane and a cycle for each, for mul (state, parameter, product: 3 operations),
# add (port, sum: 2), cmp (parameter: 2), sel (store: 2) and emit (1) 5 issues and
# 10 operations.
one = (ROOT / "models" / "neurons" / "lif.mlir").read_text()
one = (one.replace("dense<[1000, 1500, 2500]> : tensor<3xi32>", "dense<[90000]> : tensor<1xi32>")
       .replace("tensor<3xi32>", "tensor<1xi32>").replace("@lif[3]", "@lif[1]")
       .replace("dense<[[100, 60, 90, -40], [50, 120, -30, 80], [127, 127, 90, 110]]>",
                "dense<[[100, 60, 90, 40]]>").replace("tensor<3x4xi8>", "tensor<1x4xi8>"))
(FOLDER / "one.mlir").write_text(one)
np.save(FOLDER / "one.npy", np.ones((20, 4)))
latency = {}
for cycle in (400000, 900000):  # ps: long enough that only the program counts
    out = FOLDER / f"one-{cycle}"
    dendrolith("run", FOLDER / "one.mlir", "--engine", "cycle", "--out", out,
            "--target", f"loihi2,timing.scaled.microcode.cycle={cycle}",
            "--input", FOLDER / "one.npy")
    latency[cycle] = result_of(out)["latency"]["per_sample_ns"]["mean"]
check(round(latency[900000] - latency[400000]) == 20 * (5 + 10) * 500,
      "20 updates of 15 cycles lie on the critical path")

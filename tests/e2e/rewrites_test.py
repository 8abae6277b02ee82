# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/pipelines/Rewrites.cpp,
# simulator/report/text/ReportText.cpp.
"""Rewrites by request: equal in float, the same in every engine, recorded as rows;
dead units are those that are dead; what cannot be rewritten is refused."""
import itertools
import json
import subprocess
import sys

from dendricl_networks import random_net, save, tasks
from support import FOLDER, DENDROLITH, ROOT, check, dendrolith, np, run

MODELS = ROOT / "models" / "dendricl"
TINY = MODELS / "tiny.npz"
sys.path.insert(0, str(ROOT / "models"))
import reference_io  # noqa: E402

# The reals of these networks are all of order 1.
FOLD_TOLERANCE, RANK_TOLERANCE = 1e-12, 1e-9
EXACT = ("--rewrite", "fold-readout", "--rewrite", "rank-d")

# Exact in reals: outputs and spikes.
worst = {"fold-readout": 0, "rank-d": 0}
for seed, soma in enumerate(("virtual", "memoryless", "leaky", "virtual")):
    d = 3 + seed
    reference_io.save(FOLDER / "net.npz", random_net(seed, d, 4 * d + seed, 9, 14, soma=soma))
    save("x.npy", tasks(seed, 4, 12, d)[0])
    flags = ("--input", FOLDER / "x.npy", "--engine", "float", "--trace", "soma,block")
    _, plain, spikes = run("plain", FOLDER / "net.npz", *flags)
    for name in worst:
        _, outputs, traces = run("rewritten", FOLDER / "net.npz", *flags, "--rewrite", name)
        worst[name] = max(worst[name], np.max(np.abs(outputs - plain)))
        check(all(np.array_equal(traces[k], spikes[k]) for k in ("soma", "block")),
              f"{name}, random {soma}: the same {int(spikes['soma'].sum())} spikes")
check(worst["fold-readout"] <= FOLD_TOLERANCE and worst["rank-d"] <= RANK_TOLERANCE,
      f"float outputs differ by at most {worst}")

READ_OUT = """
dend.network @rule {{
  dend.clock @t
  dend.input @x on @t : tensor<{t}xf64> as !dend.spike<graded>
  dend.neuron @apical ports(%a : tensor<{n}xf64>, %y : f64) params(%keep : f64, %rate : f64)
      states(%u : tensor<{n}xf64> reset sample) outputs(u[{n}] : !dend.spike<graded>) {{
    %p = dend.dot %u, %a : (tensor<{n}xf64>, tensor<{n}xf64>) -> f64
    %w = dend.delta_rule %u key %a target %y prediction %p keep %keep rate %rate
        : (tensor<{n}xf64>, tensor<{n}xf64>, f64, f64, f64, f64) -> tensor<{n}xf64>
    dend.yield states(%w : tensor<{n}xf64>) emit(%u : tensor<{n}xf64>)
  }}
  dend.neuron @linear ports(%I : f64) outputs(y : !dend.spike<graded>) {{
    dend.yield emit(%I : f64)
  }}
  dend.constant @keep : tensor<f64> extern "keep"
  dend.constant @rate : tensor<f64> extern "rate"
  dend.constant @W : tensor<{n}x{t}xf64> extern "W"
  dend.constant @Y : tensor<1x{t}xf64> extern "Y"
  dend.constant @V : tensor<3x{n}xf64> extern "V"
  dend.population @A : @apical[1] on @t bind {{keep = @keep, rate = @rate}}
  dend.population @out : @linear[3] on @t
  dend.project @x -> @A["a"] #dend.dense weight @W delay {delay}
  dend.project @x -> @A["y"] #dend.dense weight @Y delay 0
  dend.project @A["u"] -> @out["I"] #dend.dense weight @V delay 1
  dend.output @y = @out["y"]
}}
"""
worst = 0
for seed in range(8):
    rng = np.random.default_rng(seed)
    d, n = 2 + seed, 3 + 5 * seed
    (FOLDER / "rule.mlir").write_text(READ_OUT.format(t=d + 1, n=n, delay=seed % 2))
    weights = np.zeros((n, d + 1))  # the target's column is zero, as in DendriCL
    weights[:, :d] = rng.normal(0, 1, (n, d)) / np.sqrt(n)
    np.savez(FOLDER / "w.npz", keep=np.array(0.95), rate=np.array(0.6 / d), W=weights,
             Y=np.eye(1, d + 1, d), V=rng.normal(0, 1, (3, n)))
    flags = (FOLDER / "rule.mlir", "--weights", FOLDER / "w.npz", "--engine", "float",
             "--input", save("x.npy", rng.normal(0, 1, (3, 50, d + 1))))
    _, plain, _ = run("plain", *flags)
    _, outputs, _ = run("rewritten", *flags, "--rewrite", "rank-d")
    worst = max(worst, np.max(np.abs(outputs - plain)) / np.max(np.abs(plain)))
check(0 < worst <= RANK_TOLERANCE, f"rank-d alone, read out after 50 ticks: {worst:.1e}")

# What composes a layer knows of clocks, delays, biases and held ports: every mix of
# them is refused or gives the same numbers at every tick.
RELAY = """
dend.network @relay {{
  dend.clock @token
  dend.clock @micro divides @token by 3
  dend.input @x on @{source} : tensor<3xf64> as !dend.spike<graded>
  dend.neuron @linear ports(%I : f64) outputs(y : !dend.spike<graded>) {{
    dend.yield emit(%I : f64)
  }}
  dend.neuron @sum ports(%I : f64{hold}) params(%k : f64) states(%v : f64 reset sample)
      outputs(y : !dend.spike<graded>) {{
    %w = dend.compartment %v drive %I keep %k : (f64, f64, f64) -> f64
    dend.yield states(%w : f64) emit(%w : f64)
  }}
  dend.constant @k : tensor<f64> = dense<0.5> : tensor<f64>
  dend.constant @W : tensor<2x3xf64> = dense<[[1.0, -2.0, 0.5], [3.0, 0.25, -1.0]]> : tensor<2x3xf64>
  dend.constant @b : tensor<2xf64> = dense<[0.75, -0.5]> : tensor<2xf64>
  dend.constant @V : tensor<1x2xf64> = dense<[[2.0, -1.5]]> : tensor<1x2xf64>
  dend.constant @c : tensor<1xf64> = dense<0.125> : tensor<1xf64>
  dend.population @mid : @linear[2] on @{middle}
  dend.population @end : @sum[1] on @{target} bind {{k = @k}}
  dend.project @x -> @mid["I"] #dend.dense weight @W {bias} delay {first}
  dend.project @mid -> @end["I"] #dend.dense weight @V {more} delay {second}
  dend.output @y = @end["y"]
}}
"""
composed, left_alone = 0, 0
CLOCKS = ("token", "micro")
for source, middle, target, hold, bias, more, first, second in itertools.product(
        CLOCKS, CLOCKS, CLOCKS, ("", " hold @token"), ("", "bias @b"), ("", "bias @c"), (0, 1),
        (0, 2)):
    (FOLDER / "relay.mlir").write_text(RELAY.format(**locals()))
    x = np.random.default_rng(composed).normal(0, 1, (2, 15 if source == "micro" else 5, 3))
    flags = ("run", FOLDER / "relay.mlir", "--engine", "float", "--input", save("x.npy", x))
    done = subprocess.run([DENDROLITH, *map(str, flags), "--rewrite", "fold-readout", "--out",
                           FOLDER / "composed"], capture_output=True, text=True)
    if done.returncode:
        if "applies nowhere" not in done.stderr:
            check(False, done.stderr)
        left_alone += 1
        continue
    dendrolith(*flags, "--out", FOLDER / "whole")
    one, other = (np.load(FOLDER / name / "outputs.npy") for name in ("composed", "whole"))
    if np.max(np.abs(one - other)) > FOLD_TOLERANCE:
        check(False, f"composed as in {locals()}")
    composed += 1
check(composed > 50, f"{composed} mixes composed, equal at every tick, {left_alone} refused")

# A trained network on the chip, the same in every engine.
X = np.load(MODELS / "test_d5_x.npy")[:40]
ON_CHIP = ("--target", "loihi2", "--input", save("tests.npy", X), "--calibrate",
           MODELS / "calib_d5_x.npy")


def engines(title, model, *flags):
    """reference = functional = cycle, verified; returns a result and its traces."""
    found = [run(title, model, *ON_CHIP, *flags, "--engine", engine, "--trace", "soma,block",
                 *(() if engine == "reference" else ("--verify",)))
             for engine in ("reference", "functional", "cycle")]
    outputs = [outputs for _, outputs, _ in found]
    check(all(np.array_equal(outputs[0], other) for other in outputs[1:]) and
          all(np.array_equal(found[0][2][k], other[2][k]) for k in ("soma", "block")
              for other in found[1:]), f"{title}: three engines agree")
    return found[1]


def rows(result, *names):
    """The result's rows, whose names and order are these."""
    check([row["rewrite"] for row in result["rewrites"]] == list(names),
          f"rows of {list(names) or 'nothing'}")
    return result["rewrites"]


plain, outputs, traces = engines("plain", TINY)
rows(plain)
(fold,) = rows(engines("fold", TINY, "--rewrite", "fold-readout")[0], "fold-readout")
check((fold["population"], fold["neurons_before"] - fold["neurons_after"]) == ("ff2", 32) and
      fold["synapses_before"] - fold["synapses_after"] == 32 * 64 + 32 - 64 and
      "0 of " in fold["verified"], f"fold-readout: {fold['detail']}; {fold['verified']}")
(rank,) = rows(engines("rank", TINY, "--rewrite", "rank-d")[0], "rank-d")
check("512 synaptic operations per tick become 160, 3.2 times fewer" in rank["detail"] and
      "16 compartments 'u', is gone" in rank["detail"], f"rank-d: {rank['detail']}")
both, _, _ = engines("both", TINY, *EXACT)
rows(both, "fold-readout", "rank-d")
synops = lambda result: result["counts"]["total"]["synops"]["dense"]
check(synops(both) < synops(plain), f"{synops(plain)} synaptic operations become {synops(both)}")

# Block units that a strong inhibition keeps below threshold, and one whose one
# strong input never comes: it might fire, for what bounds know.
net = dict(np.load(TINY, allow_pickle=True))
net["F1.bias"] = net["F1.bias"].copy()
net["F1.weight"] = net["F1.weight"].copy()
buried = [0, 7, 8, 9, 40, 63]
net["F1.bias"][buried] = -50
quiet = int(np.argmin(traces["soma"].sum(axis=tuple(range(traces["soma"].ndim - 1)))))
net["F1.weight"][20] = -0.3
net["F1.weight"][20, quiet] = 1.5 * float(net["th2"])
np.savez(FOLDER / "dead.npz", **net)
whole, outputs, spikes = engines("whole", FOLDER / "dead.npz")
pruned, fewer, left = engines("pruned", FOLDER / "dead.npz", "--rewrite", "dead-units")
(dead,) = rows(pruned, "dead-units")
silent = np.flatnonzero(spikes["block"].sum(axis=tuple(range(spikes["block"].ndim - 1))) == 0)
ids = [i for part in dead["removed_ids"].split(", ")
       for i in range(int(part.split("-")[0]), int(part.split("-")[-1]) + 1)]
check(set(buried) <= set(ids) <= set(silent), f"removed {dead['removed_ids']} of block")
check(f"{len(ids)} of 64 neurons of '@block' removed: {len(buried)} proved dead" in
      dead["detail"] and f"{len(ids) - len(buried)} only seen silent on 64 samples" in
      dead["detail"], dead["detail"])
check(np.array_equal(fewer, outputs) and
      np.array_equal(left["block"], np.delete(spikes["block"], ids, axis=-1)) and
      np.array_equal(left["soma"], spikes["soma"]), "outputs and spikes of the rest are equal")
check(dead["verified"].startswith("0 of ") and
      dead["neurons_before"] - dead["neurons_after"] == len(ids) and
      dead["synapses_before"] - dead["synapses_after"] == len(ids) * (32 + 32),
      dead["verified"])
everything, _, _ = engines("all", FOLDER / "dead.npz", *EXACT, "--rewrite", "dead-units")
rows(everything, "fold-readout", "rank-d", "dead-units")

# In a program image, in the report, in a study.
image = FOLDER / "net.dlp"
said = dendrolith("compile", FOLDER / "dead.npz", "--target", "loihi2", "--calibrate",
               MODELS / "calib_d5_x.npy", *EXACT, "--rewrite", "dead-units", "-o", image)
result, again, _ = run("image", image, "--input", FOLDER / "tests.npy")
check(result["rewrites"] == everything["rewrites"] and "Rewrites by request" in said and
      rank["detail"] in said, "a program image carries its rows, compile prints them")
reported = dendrolith("report", FOLDER / "all", "--format", "text")
check(rank["detail"] in reported, "and so does a report")
table = dendrolith("explore", FOLDER / "dead.npz", "--target", "loihi2", "--input",
                   save("four.npy", X[:4]), "--axis", "compile.rewrite=dead-units,fold-readout")
check("dead-units" in table and "fold-readout" in table and "failed" not in table,
      f"a study takes rewrites: {table}")
plain_compile = dendrolith("compile", TINY, "--target", "loihi2", "--emit", "stats")
check(json.loads(plain_compile)["rewrites"] == [], "off by default")


def refused(title, said, *arguments, code=1):
    done = subprocess.run([DENDROLITH, *map(str, arguments)], capture_output=True, text=True)
    check(done.returncode == code and all(part in done.stderr for part in said),
          f"{title}: {done.stderr.strip()}")


refused("no such rewrite", ("--rewrite", "fold-readout", "rank-d", "dead-units"), "run", TINY,
        *ON_CHIP, "--rewrite", "fold", code=2)
refused("no silent unit", ("'dead-units' applies nowhere", "neurons that emit nothing"), "run",
        TINY, *ON_CHIP, "--rewrite", "dead-units")
LIF = (MODELS / "lif_d10.npz", "--input", MODELS / "test_d10_x.npy", "--engine", "float")
refused("no delta rule", ("'rank-d' applies nowhere", "'delta_rule'"), "run", *LIF,
        "--rewrite", "rank-d")
refused("no linear layer", ("'fold-readout' applies nowhere", "only emits its port"), "run",
        *LIF, "--rewrite", "fold-readout")
refused("in float", ("--engine float", "dead-units"), "run", TINY, "--input",
        FOLDER / "tests.npy", "--engine", "float", "--rewrite", "dead-units")
(FOLDER / "integers.mlir").write_text("""
!v = !dend.fx<24, 0>
dend.network @n {
  dend.clock @t
  dend.input @x on @t : tensor<1xf64> as !dend.spike<binary>
  dend.neuron @m ports(%I : !v) outputs(s : !dend.spike<int, -8, 7>) { dend.yield emit(%I : !v) }
  dend.constant @W : tensor<1x1xi8> = dense<1> : tensor<1x1xi8>
  dend.population @p : @m[1] on @t
  dend.project @x -> @p["I"] #dend.dense weight @W delay 0
}
""")
refused("without samples", ("dead-units", "--calibrate"), "compile", FOLDER / "integers.mlir",
        "--rewrite", "dead-units")
refused("the dendrite that is gone", ("apical:u", "'z'"), "run", TINY, *ON_CHIP, "--rewrite",
        "rank-d", "--trace", "apical:u", "--out", FOLDER / "gone")
refused("a compiled program", ("compiled already, without --rewrite",), "run", image,
        "--input", FOLDER / "tests.npy", "--rewrite", "rank-d")

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/pipelines/SplitDendrites.cpp,
# compiler/transforms/rewrites/DendSplitDendrite.cpp.
"""DendriCL's apical dendrite as one wide neuron and in parts: the same answers,
spikes and emitted state in every engine; what the parts send is counted; the
compiler takes the cheaper and prints both."""

import re
import subprocess

from support import FOLDER, DENDROLITH, ROOT, check, dendrolith, np, run

MODELS = ROOT / "models" / "dendricl"
SIGNALS = "soma,block,apical:u"
NETS = {"tiny": ("2", "5+3+8", "8", "16"), "tiny_memoryless": ("2", "1+15"),
        "tiny_leaky": ("3",)}
np.save(FOLDER / "x.npy", np.load(MODELS / "test_d5_x.npy")[:12])


def compiled(name, split, target, *flags, x=FOLDER / "x.npy", traces=SIGNALS):
    return run(f"{name}-{split}", MODELS / f"{name}.npz", "--target", target,
               "--split-dendrite", split, "--input", x, "--calibrate",
               MODELS / f"calib_d{10 if name == 'd10' else 5}_x.npy", "--trace", traces, *flags)


def in_parts(traces):
    """The state of all parts, (samples, tokens, d_a)."""
    keys = sorted((k for k in traces if k.startswith("apical.")),
                  key=lambda k: int(k.split(":")[0].split(".")[1]))
    return np.concatenate([traces[k] for k in keys], axis=2)


for target in ("loihi2", "ideal"):
    for name, splits in NETS.items():
        wide, expected, spikes = compiled(name, "wide", target, "--verify")
        for split in splits:
            sums = "".join(f",apical.{p}:sum0" for p in range(int(split)))  \
                if "+" not in split else ""
            decisions = ",apical.predictor:decision0,apical.predictor:decision1"
            result, outputs, traces = compiled(
                name, split, target, "--engine", "cycle", "--verify",
                traces=SIGNALS + sums + (decisions if sums else ""))
            _, slow, _ = compiled(name, split, target, "--engine", "reference")
            pending = in_parts({k: v for k, v in traces.items() if k.endswith(":u")})
            same = (outputs.tobytes() == expected.tobytes() == slow.tobytes() and
                    all(np.array_equal(traces[k], spikes[k]) for k in ("soma", "block")) and
                    np.array_equal(pending[:, 1:], spikes["apical:u"][:, :-1]) and
                    np.any(pending) and not np.any(pending[:, 0]))
            check(same, f"{name} on {target}, parts {split}: every answer, spike and state")
            if not sums:
                continue
            sent = sum(int(np.count_nonzero(v)) for k, v in traces.items()
                       if "sum0" in k or "decision" in k)
            more = (result["counts"]["total"]["spikes"]["graded"] -
                    wide["counts"]["total"]["spikes"]["graded"])
            check(sent == more > 0, f"parts {split}: {more} sums and decisions sent")

# The compiler chooses the cheaper form, wide where both cost the same.
result, _, _ = run("auto", MODELS / "tiny.npz", "--target", "loihi2", "--input",
                   FOLDER / "x.npy")
both = result["policies"]["dendrite, modelled"]
costs = [float(re.search(form + r" (\S+) pJ ns/tick", both).group(1))
         for form in ("wide", "in 2 parts")]
check(result["policies"]["dendrite"] == ("wide" if costs[0] <= costs[1] else "in 2 parts"),
      both)
# A dendrite of 384 needs more registers than a core has.
shown = dendrolith("compile", MODELS / "d10.npz", "--target", "loihi2", "-o", FOLDER / "d10.dlp")
check("dendrite: in 2 parts" in shown and "wide does not fit: " in shown,
      next(line for line in shown.splitlines() if "modelled" in line))
lifted = dendrolith("compile", MODELS / "d10.npz", "--target", "loihi2", "--override-limit",
                 "registers", "--split-dendrite", "wide", "-o", FOLDER / "d10w.dlp")
check("limit 'registers' of 1024, used 1155" in lifted, "d10 stays wide where it is lifted")
np.save(FOLDER / "x10.npy", np.load(MODELS / "test_d10_x.npy")[:6])
answers = [run(name, FOLDER / f"{name}.dlp", "--input", FOLDER / "x10.npy")[1].tobytes()
           for name in ("d10", "d10w")]
check(answers[0] == answers[1], "d10, 384 compartments: both give the same answers")

# In no form: what has to change comes first, the other form as a clause.
for change, first, clause in (
        ("mesh.tiles_x=2,mesh.tiles_y=1,mesh.cores_per_tile=2",
         "no mapping takes fewer than 5 cores", "1155 registers"),
        ("spikes.payload_bits=8", "neither a payload of target", "1155 registers"),
        ("mesh.tiles_x=1,mesh.tiles_y=1,mesh.cores_per_tile=4,microcode.registers=4096",
         "no mapping takes fewer than 5 cores", "with the dendrite in 2 parts: ")):
    result = subprocess.run([DENDROLITH, "compile", MODELS / "d10.npz", "--target",
                             "loihi2," + change, "-o", FOLDER / "no.dlp"],
                            capture_output=True, text=True)
    error = result.stderr
    check(result.returncode == 1 and 0 <= error.find(first) < error.find(clause) and
          error.startswith("error: ") and error.count("\n") == 1, error.strip())

for split, said in (("0", "expected a number or sizes"), ("17", "expected 2 to 16"), ("8+7", "sum to the 16"),
                    ("a", "expected a number or sizes such as 5+6+5"), ("5+", "found '5+'")):
    result = subprocess.run([DENDROLITH, "compile", MODELS / "tiny.npz", "--target", "loihi2",
                             "--split-dendrite", split, "-o", FOLDER / "no.dlp"],
                            capture_output=True, text=True)
    check(result.returncode == 1 and said in result.stderr and not (FOLDER / "no.dlp").exists(),
          f"--split-dendrite {split}: {result.stderr.strip()}")
result = subprocess.run([DENDROLITH, "compile", MODELS / "lif_d10.npz", "--target", "loihi2",
                         "--split-dendrite", "2", "-o", FOLDER / "no.dlp"],
                        capture_output=True, text=True)
check(result.returncode == 1 and "no dendrite to split" in result.stderr, result.stderr.strip())

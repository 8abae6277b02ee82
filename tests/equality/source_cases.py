# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Study networks, what NIR leaves open, and the passes alone."""
from case import Case, dendrolith, dendrolith_opt
from commands import CYCLE, LIF, LIF_X, SPARSE, TINY


def study_cases():
    """Study networks of both modes: the files, every engine, every chip."""
    small = ("--neurons", 300, "--recipe", "fanout=20", "--cores", 5, "--steps", 40, "--recipe",
             "in-rate=0.2,rate=0.1")
    local = ("--mode", "local", "--neurons", 1080, "--cores", 9, "--steps", 20)
    for name, flags in {"random": small, "local": local}.items():
        runs = [["--engine", engine, "--target", "loihi1"]
                for engine in ("float", "reference", "functional", "cycle")]
        runs += [[*CYCLE, "--target", chip] for chip in
                 ("ideal", "tiny", "loihi1-study", "loihi2", "loihi2-binary")]
        runs += [["--tuning", "{solver: packed}", "--target", "loihi1"], ["--verify"]]
        yield Case(f"study/{name}", [
            dendrolith("generate", "net", *flags),
            *(dendrolith("run", "net.npz", *each, "--out", f"o{number}")
              for number, each in enumerate(runs)),
            dendrolith("compile", "net.npz", "--target", "loihi1", "-o", "p.dlp"),
            dendrolith("run", "p.dlp", "--input", "net.npz", "--out", "image"),
            dendrolith("compile", "net.npz", "--target", "loihi1", "--emit", "stats"),
            dendrolith("compile", "net.npz", "--target", "loihi1", "--emit", "chip"),
            dendrolith("export", "net.npz", "--format", "lava", "-o", "m.lava.pb")])
    yield Case("study/generate", [
        dendrolith("generate", "seeded", *small, "--seed", 5, "--recipe", "mapping=block"),
        dendrolith("generate", "high", *small, "--recipe", "threshold=500,wmax-in=99,wmax-rec=9,leak=1000,inputs=7"),
        dendrolith("generate", "bad", "--neurons", 0),
        dendrolith("generate", "bad", "--mode", "torus")])
    yield Case("study/too-large", [
        dendrolith("generate", "net", "--neurons", 10000, "--steps", 2),
        dendrolith("run", "net.npz", "--target", "loihi1"),
        dendrolith("run", "net.npz", "--target", "loihi1-study", "--out", "o")])


def nir_cases():
    """What NIR leaves open, on the float engine and where a chip has it."""
    options = {"dt": "2e-4", "time-unit": "ms", "integrator": "exact expdecay mixed",
               "reset": "zero subtract", "reset-when": "next", "spike-when": "next",
               "current-order": "old", "threshold": "ge", "spikes-per-step": "many",
               "v-min": "1", "spike-value": "dirac", "loop-delay": "2",
               "loop-start": "skip", "if-convention": "dt unit leaky",
               "preset": "norse snntorch spyx sinabs nengo"}
    for option, values in options.items():
        for value in values.split():
            flags = ["--import", f"{option}={value}"]
            yield Case(f"nir/{option}-{value}", [
                *(dendrolith("run", f"data/{net}.nir", "--input", f"data/{net}_x.npy",
                          "--engine", "float", *flags, "--out", net)
                  for net in ("loop", "maps", "graded")),
                dendrolith("run", *LIF, *LIF_X, "--target", "loihi1", *flags, "--out", "lif"),
                dendrolith("compile", "data/loop.nir", "--target", "loihi2", *flags,
                        "--explain")])


def pass_cases():
    """Passes alone, as people who work on passes call them, from one stage's text."""
    models = {"lif": (LIF, "loihi1"), "sparse": (SPARSE, "loihi2"), "tiny": (TINY, "loihi2")}
    for name, (model, chip) in models.items():
        on = f"=target={chip}"
        chains = (["--canonicalize", "--cse"], ["--dend-prepare"], ["--dend-diagonalise"],
                  ["--dend-gauge"], ["--dend-fold-readout"], ["--dend-rank-d"],
                  ["--dend-expand-structure"], [f"--dend-quantise{on}"],
                  [f"--dend-schedule{on}"],
                  [f"--dend-quantise{on}", f"--dend-select-engine{on}",
                   f"--dend-schedule{on}", f"--dend-to-chip{on}"])
        yield Case(f"passes/{name}", [
            dendrolith("compile", *model, "--target", chip, "--emit", "dend", "-o", "net.mlir"),
            dendrolith("compile", *model, "--target", chip, "--emit", "dend-fixed", "-o",
                    "fixed.mlir"),
            *(dendrolith_opt("net.mlir", *chain, "-o", f"{number}.mlir")
              for number, chain in enumerate(chains)),
            dendrolith_opt("fixed.mlir", f"--dend-select-engine{on}", f"--dend-schedule{on}",
                        f"--dend-to-chip{on}", "-o", "chip.mlir"),
            dendrolith_opt("net.mlir", "--emit-bytecode", "-o", "net.mlirbc"),
            dendrolith("compile", "net.mlirbc", "--target", chip, "-o", "p.dlp")])


def source_cases():
    """All of the above."""
    for group in (study_cases, nir_cases, pass_cases):
        yield from group()

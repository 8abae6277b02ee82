# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Study networks, what NIR leaves open, and the passes alone."""
from case import Case, neurite, neurite_opt
from commands import CYCLE, LIF, LIF_X, SPARSE, TINY


def study_cases():
    """Study networks of both modes: the files, every engine, every chip."""
    small = ("--neurons", 300, "--fanout", 20, "--cores", 5, "--steps", 40, "--in-rate",
             0.2, "--rate", 0.1)
    local = ("--mode", "local", "--neurons", 1080, "--cores", 9, "--steps", 20)
    for name, flags in {"random": small, "local": local}.items():
        runs = [["--engine", engine, "--target", "loihi1"]
                for engine in ("float", "reference", "functional", "cycle")]
        runs += [[*CYCLE, "--target", chip] for chip in
                 ("ideal", "tiny", "loihi1-study", "loihi2", "loihi2-binary")]
        runs += [["--solver", "packed", "--target", "loihi1"], ["--verify"]]
        yield Case(f"study/{name}", [
            neurite("generate", "net", *flags),
            *(neurite("run", "net.npz", *each, "--out", f"o{number}")
              for number, each in enumerate(runs)),
            neurite("compile", "net.npz", "--target", "loihi1", "-o", "p.nrt"),
            neurite("run", "p.nrt", "--input", "net.npz", "--out", "image"),
            neurite("compile", "net.npz", "--target", "loihi1", "--emit", "stats"),
            neurite("compile", "net.npz", "--target", "loihi1", "--emit", "chip"),
            neurite("export", "net.npz", "--format", "lava", "-o", "m.lava.pb")])
    yield Case("study/generate", [
        neurite("generate", "seeded", *small, "--seed", 5, "--mapping", "block"),
        neurite("generate", "high", *small, "--threshold", 500, "--wmax-in", 99,
                "--wmax-rec", 9, "--leak", 1000, "--inputs", 7),
        neurite("generate", "bad", "--neurons", 0),
        neurite("generate", "bad", "--mode", "torus")])
    yield Case("study/too-large", [
        neurite("generate", "net", "--neurons", 10000, "--steps", 2),
        neurite("run", "net.npz", "--target", "loihi1"),
        neurite("run", "net.npz", "--target", "loihi1-study", "--out", "o")])


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
            flags = [f"--{option}", value]
            yield Case(f"nir/{option}-{value}", [
                *(neurite("run", f"data/{net}.nir", "--input", f"data/{net}_x.npy",
                          "--engine", "float", *flags, "--out", net)
                  for net in ("loop", "maps", "graded")),
                neurite("run", *LIF, *LIF_X, "--target", "loihi1", *flags, "--out", "lif"),
                neurite("compile", "data/loop.nir", "--target", "loihi2", *flags,
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
            neurite("compile", *model, "--target", chip, "--emit", "dend", "-o", "net.mlir"),
            neurite("compile", *model, "--target", chip, "--emit", "dend-fixed", "-o",
                    "fixed.mlir"),
            *(neurite_opt("net.mlir", *chain, "-o", f"{number}.mlir")
              for number, chain in enumerate(chains)),
            neurite_opt("fixed.mlir", f"--dend-select-engine{on}", f"--dend-schedule{on}",
                        f"--dend-to-chip{on}", "-o", "chip.mlir"),
            neurite_opt("net.mlir", "--emit-bytecode", "-o", "net.mlirbc"),
            neurite("compile", "net.mlirbc", "--target", chip, "-o", "p.nrt")])


def source_cases():
    """All of the above."""
    for group in (study_cases, nir_cases, pass_cases):
        yield from group()

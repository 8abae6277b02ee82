# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bad files, bad values and bad usage: exit codes and errors, and nothing written."""
from case import Case, cut, flip, dendrolith, replace

LIF = "models/lif/shapes_lif.nir"
NEURON = "models/neurons/lif.mlir"
X = "data/lif_x.npy"
ON_CHIP = ["run", LIF, "--target", "loihi1", "--out", "o", "--input"]


def bad_models():
    """Model files that are none, or that say what cannot be."""
    files = ("none.nir", "cut.nir", "zip.nir", "empty.nir", "nan.nir", "gone.nir", "type.nir",
             "shape.nir", "tau.nir", "edge.nir", "extra.nir", "cycle.mlir", "syntax.mlir",
             "extern.mlir", "decode.mlir", "body.mlir", "unknown.mlir", "wide.mlir",
             "nan.npz", "shape.npz", "meta.npz", "window.npz", "cut.npz", "cut.net",
             "hello.lava.pb", "real.npy")
    for file in files:
        path = f"data/bad/{file}"
        yield Case(f"bad/model/{file}", [
            dendrolith("compile", path, "--target", "loihi1", "-o", "p.dlp"),
            dendrolith("compile", path, "--explain"),
            dendrolith("run", path, "--input", X, "--engine", "float", "--out", "o"),
            dendrolith("export", path, "--format", "lava", "-o", "m.lava.pb")])


def bad_inputs():
    for name in ("none", "columns", "short", "nan", "real", "three", "object", "cut"):
        path = f"data/bad/{name}.npy"
        yield Case(f"bad/input/{name}", [
            dendrolith(*ON_CHIP, path),
            dendrolith(*ON_CHIP, X, "--labels", path),
            dendrolith("compile", LIF, "--calibrate", path),
            dendrolith("run", LIF, "--input", path, "--engine", "float")])
    yield Case("bad/input/answers", [
        dendrolith(*ON_CHIP, X, "--metric", "r2", "--labels", f"data/bad/{name}.npy")
        for name in ("three", "equal", "pairs", "nan")])
    yield Case("bad/input/query", [
        dendrolith("run", "models/dendricl/tiny.npz", "--input", "data/bad/no_query.npy",
                "--target", "loihi2"),
        dendrolith("run", "data/clocks.mlir", "--input", "data/bad/steps.npy", "--target",
                "loihi2")])


def bad_values():
    """Flags whose values cannot be, one case for each command."""
    runs = {
        "trace": ["--trace", "lif9"], "state": ["--trace", "lif1:w"],
        "timing": ["--engine", "cycle", "--timing", "tomorrow"],
        "costs": ["--costs", "free"], "metric": ["--metric", "recall"],
        "last": ["--metric", "accuracy:last=33", "--labels", "data/lif_y.npy"],
        "unjudged": ["--metric", "accuracy"], "model": ["--model", LIF],
        "negative-cost": ["--costs", "data/bad/negative.yaml"],
        "missing-cost": ["--costs", "data/bad/missing.yaml"],
        "compare-file": ["--compare", "data/bad/three.npy"],
        "compare-float": ["--engine", "float", "--compare", "data/spikes.npz"],
        "verify": ["--engine", "float", "--verify"], "out": ["--out", "data/bad/file"],
        "dt": ["--import", "dt=0.01"], "no-number": ["--import", "dt=soon"],
        "input-bits": ["--input-bits", "1"], "placement": ["--placement", "data/bad/pinned.yaml"],
        "cores": ["--cores", "129:"], "limit": ["--override-limit", "luck"],
        "solver": ["--tuning", "{solver: luck}"], "weights": ["--weights", "data/bad/cut.npz"],
        "preset": ["--import", "preset=brian"], "reset": ["--import", "reset=maybe"],
    }
    for name, flags in runs.items():
        yield Case(f"bad/value/{name}", [
            dendrolith("run", LIF, "--target", "loihi1", "--input", X, *flags)])
    chips = ("loihi9", "data/bad/typo.yaml", "data/bad/not.yaml", "data/bad/none.yaml",
             "loihi2,mesh.tiles=3", "loihi2,mesh.tiles_x=many", "loihi2,microcode.registers=1",
             "loihi2,microcode.program_words=3", "loihi2,microcode.state_bytes=2",
             "loihi2,limits.core_memory_bytes=100", "loihi2,microcode.word_bits=16")
    yield Case("bad/chip", [
        step for chip in chips for step in (
            dendrolith("targets", chip),
            dendrolith("compile", NEURON, "--target", chip, "-o", "p.dlp"))])
    yield Case("bad/spikes", [
        dendrolith("compile", "data/wide.mlir", "--target", chip, "--spikes", form)
        for chip, form in (("loihi2-binary", "graded"), ("loihi2", "ternary"),
                           ("loihi2,scheduling.group_gating=false", "unary"),
                           ("loihi2,spikes.payload_bits=3", "graded"))])


def bad_programs():
    """Program images and results that are damaged or do not belong."""
    compiled = dendrolith("compile", LIF, "--target", "loihi1", "-o", "p.dlp")
    run = ["run", "p.dlp", "--input", X]
    yield Case("bad/image/flags", [
        compiled, *(dendrolith(*run, *flags) for flags in (
            ["--target", "tiny"], ["--engine", "float"], ["--compare", "float"], ["--verify"],
            ["--spikes", "unary"], ["--rewrite", "rank-d"], ["--model", NEURON],
            ["--compare", "float", "--model", NEURON])),
        dendrolith("export", "p.dlp", "--format", "lava", "--target", "tiny", "-o", "m")])
    for name, damage in {"cut": cut("p.dlp"), "flipped": flip("p.dlp")}.items():
        yield Case(f"bad/image/{name}", [
            compiled, damage, dendrolith(*run, "--out", "o"),
            dendrolith("export", "p.dlp", "--format", "lava", "-o", "m.lava.pb")])
    yield Case("bad/image/none", [dendrolith("run", "data/bad/hello.dlp", "--input", X)])
    stored = dendrolith(*ON_CHIP, X)
    changes = {"count": ('"messages": ', '"messages": 99999999999999999999'),
               "spikes": ('"lif1": {', '"lif1": {"many": 3, '),
               "target": ('"yaml": "', '"yaml": "{['), "missing": ('"samples"', '"sample"')}
    for name, change in changes.items():
        yield Case(f"bad/result/{name}", [
            stored, replace("o/result.json", *change), dendrolith("report", "o"),
            dendrolith("report", "o", "--format", "json")])
    yield Case("bad/result/none", [
        dendrolith("report", "data/bad/broken"), dendrolith("report", "nothing"), stored,
        dendrolith("report", "o", "--costs", "free"),
        dendrolith("report", "o", "--model", "horowitz")])


def bad_usage():
    usages = ([], ["walk"], ["run"], ["run", LIF], ["run", LIF, "--input", X, "--fast"],
              ["run", LIF, "--input", X, "--engine", "warp"], ["compile"],
              ["compile", LIF, "--emit", "poem"], ["compile", LIF, "--rewrite", "fold"],
              ["export", LIF], ["export", LIF, "--format", "pdf", "-o", "m"],
              ["explore", LIF], ["explore", LIF, "--input", X, "--axis", "costs"],
              ["generate"], ["generate", "net", "--neurons", "few"], ["report"],
              ["report", "o", "--format", "xml"], ["targets", "a", "b"])
    yield Case("bad/usage", [dendrolith(*words) for words in usages])


def bad_cases():
    """All of the above."""
    for group in (bad_models, bad_inputs, bad_values, bad_programs, bad_usage):
        yield from group()

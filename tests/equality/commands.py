# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the commands can do beside compiling and running: exports, reports, studies,
rewrites, forms of spikes, timelines, chips, metrics."""
from case import Case, dendrolith, dendrolith_opt
from models import MODELS

LIF = ["models/lif/shapes_lif.nir", "--calibrate", "data/lif_calib.npy"]
LIF_X = ["--input", "data/lif_x.npy"]
LIF_RUN = [*LIF, *LIF_X, "--target", "loihi1"]
SPARSE = ["models/mmdend/sparse.npz", "--calibrate", "data/mm_calib.npy"]
SPARSE_RUN = [*SPARSE, "--input", "data/mm_x.npy", "--target", "loihi2"]
TINY = ["models/dendricl/tiny.npz", "--calibrate", "data/d5_calib.npy"]
TINY_RUN = [*TINY, "--input", "data/d5_x.npy", "--target", "loihi2"]
D10_RUN = ["models/dendricl/d10.npz", "--calibrate", "data/d10_calib.npy", "--input",
           "data/d10_x.npy", "--target", "loihi2"]
DEAD_NET = ["data/dead.npz", "--calibrate", "data/d5_calib.npy"]
DEAD_RUN = [*DEAD_NET, "--input", "data/d5_x.npy", "--target", "loihi2"]
WIDE_RUN = ["data/wide.mlir", "--input", "data/wide_x.npy", "--target", "loihi2"]
CYCLE = ["--engine", "cycle"]
FOLD, RANK, DEAD = (["--rewrite", name] for name in ("fold-readout", "rank-d", "dead-units"))


def help_cases():
    subcommands = ("compile", "run", "export", "report", "explore", "generate", "targets")
    yield Case("help", [dendrolith("--help"), dendrolith("--version"),
                        *(dendrolith(each, "--help") for each in subcommands)])
    yield Case("help/dendrolith-opt", [dendrolith_opt("--help")])


def target_cases():
    chips = ("ideal", "loihi1", "loihi1-study", "loihi2", "loihi2-binary", "tiny",
             "targets/tiny/chip.yaml", "data/small-cores.yaml", "loihi2,mesh.tiles_x=19",
             "loihi2,timing.scaled.microcode.cycles.mac=3,mesh.tiles_y=2")
    yield Case("targets", [dendrolith("targets"), *(dendrolith("targets", c) for c in chips)])
    yield Case("targets/found", [
        dendrolith("targets"), dendrolith("targets", "loihi1"),
        dendrolith("compile", "models/neurons/lif.mlir", "--target", "loihi2")],
        named_targets=False)


def export_cases():
    """Each model as processes of Lava and as a NetX file; what is stock Lava is run."""
    for model in MODELS:
        if model.name.startswith(("dendricl-d", "dendricl-l", "dendricl-s")):
            continue  # refused as the small ones are, and large
        named = [model.path, *model.flags, *model.calibrate]
        yield Case(f"export/{model.name}", [
            dendrolith("export", *named, "--format", "lava", "-o", "m.lava.pb"),
            dendrolith("export", *named, "--format", "stock-lava", "-o",
                    "stock.lava.pb"),
            dendrolith("run", "stock.lava.pb", *model.input, "--target", "ideal", "--out",
                    "again"),
            dendrolith("export", *named, "--format", "netx", "-o", "m.net"),
            dendrolith("run", "m.net", *model.input, "--target", "ideal", "--out", "netx")])
    for chip in ("loihi1", "loihi2"):
        yield Case(f"export/program-{chip}", [
            dendrolith("compile", *LIF, "--target", chip, "-o", "p.dlp"),
            dendrolith("export", "p.dlp", "--format", "lava", "-o", "p.lava.pb"),
            dendrolith("run", "p.lava.pb", *LIF_X, *CYCLE, "--target", "loihi1", "--out", "o"),
            dendrolith("export", "p.dlp", "--format", "netx", "-o", "p.net")])


def report_cases():
    """Stored results at their own and at other prices, and beside the papers' formulas."""
    formulas = [["--conventions", "--format", form]
                for form in ("text", "json")]
    costs = {"lif": ("davies2018", "silicon-fit-2025", "lower",
                     "targets/loihi1/costs-davies2018.yaml"),
             "sparse": ("lower", "upper", "targets/loihi2/costs-upper.yaml"),
             "tiny": ("upper",)}
    runs = {"lif": LIF_RUN, "sparse": SPARSE_RUN, "tiny": TINY_RUN}
    for name, arguments in runs.items():
        reports = [[], ["--format", "json"], *formulas,
                   *(["--costs", each] for each in costs[name])]
        yield Case(f"report/{name}", [
            dendrolith("run", *arguments, *CYCLE, "--out", "o"),
            *(dendrolith("report", "o", *each) for each in reports)])
    yield Case("report/functional", [
        dendrolith("run", *LIF_RUN, "--costs", "silicon-fit-2025", "--out", "o"),
        dendrolith("report", "o"), dendrolith("report", "o", "--costs", "davies2018")])
    yield Case("report/rewritten", [
        dendrolith("run", *TINY_RUN, *FOLD, *RANK, "--out", "o"),
        dendrolith("report", "o"), dendrolith("report", "o", "--conventions")])


def timing_cases():
    """Timing sets, timelines, another barrier and small meshes in the cycle engine."""
    yield Case("timing/sets", [
        dendrolith("run", *LIF_RUN, *CYCLE, "--timing", each, "--out", each)
        for each in ("davies2018", "silicon-fit-2025")])
    for name, arguments in {"lif": LIF_RUN, "sparse": SPARSE_RUN}.items():
        yield Case(f"timeline/{name}", [
            dendrolith("run", *arguments, *CYCLE, "--timeline", "t.json", "--out", "o")])
    small = [*LIF, *LIF_X, "--target", "data/small-cores.yaml"]
    yield Case("timeline/fixed-barrier", [
        dendrolith("run", *small, *CYCLE, "--verify", "--timeline", "t.json", "--out", "o")])
    yield Case("timeline/without-clock", [dendrolith("run", *LIF_RUN, "--timeline", "t.json")])
    yield Case("timing/mesh", [
        dendrolith("run", *SPARSE, "--input", "data/mm_x.npy", *CYCLE, "--cores", "3:",
                "--target", chip, "--out", "o")
        for chip in ("loihi2,mesh.tiles_x=19", "loihi2,mesh.cores_per_tile=1")])


def spike_cases():
    """How integers travel, over how many cores, and where they lie."""
    for name, arguments in {"wide": WIDE_RUN, "sparse": SPARSE_RUN}.items():
        for form in ("graded", "unary"):
            yield Case(f"spikes/{name}-{form}", [
                dendrolith("run", *arguments, "--spikes", form, *more, *CYCLE, "--verify",
                        "--out", f"o{number}")
                for number, more in enumerate(([], ["--cores", "2:"],
                                               ["--tuning", "{solver: packed}"]))])
    lif_unary = [*LIF, "--input", "data/lif_grey.npy", "--spikes", "unary"]
    yield Case("spikes/input-bits", [
        dendrolith("run", *lif_unary, "--target", chip, "--input-bits", "6", "--cores",
                "3:", *CYCLE, "--out", chip) for chip in ("loihi2", "ideal")])
    for solver in ("default", "round-robin", "packed"):
        yield Case(f"mapping/{solver}", [
            dendrolith("run", *LIF, *LIF_X, "--target", "data/small-cores.yaml", "--tuning",
                    f"{{solver: {solver}}}", *CYCLE, "--out", "o")])
    yield Case("mapping/placement", [
        dendrolith("run", *LIF_RUN, "--placement", "data/pinned.yaml", *CYCLE, "--out", "o")])
    yield Case("mapping/overridden", [
        dendrolith("run", *LIF, *LIF_X, "--target", "tiny", *CYCLE, *(
            word for limit in ("synapse_memory_words", "in_axons", "out_axons",
                               "compartments_per_core")
            for word in ("--override-limit", limit)), "--out", "o"),
        dendrolith("compile", "models/dendricl/d10.npz", "--target", "loihi2",
                "--override-limit", "registers", "--emit", "stats")])


def rewrite_cases():
    for name, flags in {"fold": FOLD, "rank": RANK, "dead": DEAD,
                        "exact": [*FOLD, *RANK], "all": [*FOLD, *RANK, *DEAD]}.items():
        yield Case(f"rewrite/{name}", [
            dendrolith("run", *DEAD_RUN, *flags, *CYCLE, "--verify", "--trace", "soma,block",
                    "--compare", "float", "--out", "o"),
            dendrolith("compile", *DEAD_NET, "--target", "loihi2", *flags, "--emit", "dend"),
            dendrolith("compile", *DEAD_NET, "--target", "loihi2", *flags, "-o", "p.dlp"),
            dendrolith("run", "p.dlp", "--input", "data/d5_x.npy", "--out", "image")])
    yield Case("rewrite/d10", [
        dendrolith("run", *D10_RUN, *FOLD, *RANK, *DEAD, "--compare", "float", "--out", "o")])
    yield Case("rewrite/nowhere", [
        dendrolith("compile", *model, *flags) for model, flags in (
            (LIF, FOLD), (LIF, RANK), (SPARSE, FOLD), (TINY, DEAD),
            (["models/neurons/lif.mlir"], DEAD))])


def dendrite_cases():
    for split in ("auto", "wide", "2", "5+3+8", "16"):
        yield Case(f"dendrite/{split}", [
            dendrolith("run", *TINY_RUN, "--split-dendrite", split, *CYCLE, "--verify",
                    "--trace", "soma,apical:u", "--out", "o")])
    for split in ("0", "17", "8+7", "a", "5+"):
        yield Case(f"dendrite/refused-{split}", [
            dendrolith("compile", *TINY, "--target", "loihi2", "--split-dendrite", split)])


def run_cases():
    """Metrics, threads, single samples, files to compare with, programs beside models."""
    yield Case("run/metrics", [
        dendrolith("run", *LIF_RUN, "--labels", "data/lif_y.npy", "--compare", "float",
                "--metric", metric, "--out", f"o{number}")
        for number, metric in enumerate(("accuracy", "accuracy:mean", "accuracy:last=5"))])
    yield Case("run/threads", [
        dendrolith("run", *LIF_RUN, "--threads", count, "--out", f"o{count}")
        for count in (0, 1, 2)])
    yield Case("run/single", [
        dendrolith("run", *LIF, "--input", "data/lif_single.npy", "--target", "loihi1",
                "--engine", engine, "--out", engine)
        for engine in ("float", "reference", "functional", "cycle")])
    yield Case("run/named-input", [
        dendrolith("run", *LIF, "--input", "input=data/lif_x.npy", "--out", "o")])
    yield Case("run/counts-as-inputs", [
        dendrolith("run", "data/maps.nir", "--input", "data/maps_counts.npy", "--target", chip,
                *CYCLE, "--verify", "--out", chip) for chip in ("ideal", "loihi2", "loihi1")])
    yield Case("run/own-samples", [
        dendrolith("run", "models/mmdend/sparse.npz", "--target", "loihi2", "--input",
                "models/mmdend/calib_x.npy", "--compare", "reference", "--out", "o")])
    yield Case("run/told-label", [
        dendrolith("run", *TINY, "--input", "data/d5_told.npy", "--target", "loihi2",
                "--out", "o")])
    net = ["models/netx/shapes.net", *LIF_X, "--compare"]
    yield Case("run/compare-file", [
        dendrolith("run", *net, "data/spikes.npz"),
        dendrolith("run", *net, "data/spikes.npz", *CYCLE, "--target", "loihi1"),
        dendrolith("run", *net, "data/spikes_wrong.npz", "--out", "o"),
        dendrolith("run", *LIF_RUN, "--trace", "lif1:u,lif2", "--out", "t"),
        dendrolith("run", *LIF_RUN, "--compare", "t/traces.npz"),
        dendrolith("run", *LIF_RUN, "--compare", "t/outputs.npy", "--engine", "float")])
    yield Case("run/image-beside-model", [
        dendrolith("compile", *SPARSE, "--target", "loihi2", "-o", "p.dlp"),
        dendrolith("run", "p.dlp", "--input", "data/mm_x.npy", "--labels", "data/mm_y.npy",
                "--compare", "float", "--model", "models/mmdend/sparse.npz", "--out", "o"),
        dendrolith("run", "p.dlp", "--input", "data/mm_x.npy", "--compare", "float",
                "--model", "models/mmdend/dense.npz")])


def explore_cases():
    """Models over forms of spikes, numbers of cores and assumed numbers."""
    runs = {"lif": LIF_RUN, "tiny": TINY_RUN, "sparse": SPARSE_RUN, "wide": WIDE_RUN}
    for name, arguments in runs.items():
        yield Case(f"explore/{name}", [
            dendrolith("explore", *arguments, "--axis", "compile.spikes=graded,unary", "--axis",
                       "compile.map-for=time,cores"),
            dendrolith("explore", *arguments, "--axis", "compile.map-for=time", "--sensitivity",
                       "latency.mean")])


def command_cases():
    """All of the above."""
    for group in (help_cases, target_cases, export_cases, report_cases, timing_cases,
                  spike_cases, rewrite_cases, dendrite_cases, run_cases, explore_cases):
        yield from group()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All cases, in groups: each model on each chip, the stages of the compiler, what else
the commands can do, and bad input."""
from bad_cases import bad_cases
from case import Case, dendrolith
from commands import command_cases
from models import MODELS, SHARED
from source_cases import source_cases

CHIPS = ("ideal", "loihi1", "loihi1-study", "loihi2", "loihi2-binary", "tiny")
STAGES = ("dend", "dend-fixed", "chip", "microcode", "stats")


def on_chips(model):
    """Image, functional engine and cycle engine on each chip, or what refuses it."""
    for chip in model.chips or CHIPS:
        on = ["--target", chip, *model.flags]
        yield Case(f"chips/{model.name}/{chip}", [
            dendrolith("compile", model.path, *on, *model.calibrate, "-o", "p.dlp"),
            dendrolith("run", "p.dlp", *model.input, *model.labels, "--engine", "cycle",
                    "--verify", "--out", "cycle"),
            dendrolith("run", model.path, *on, *model.calibrate, *model.input, *model.labels,
                    "--verify", "--compare", "float", *model.trace, "--out", "functional")])


def interpreted(model):
    """The float network and the integers in the reference interpreter."""
    named = [model.path, *model.flags, *model.input, *model.labels]
    yield Case(f"interpreted/{model.name}", [
        dendrolith("run", *named, "--engine", "float", *model.trace, "--out", "float"),
        dendrolith("run", *named, *model.calibrate, "--target", "ideal", "--engine",
                "reference", "--compare", "float", *model.trace, "--out", "reference")])


def stages(model):
    """Every stage of the compiler as text, and what became of each node."""
    for chip in model.staged:
        on = [model.path, *model.flags, "--target", chip, *model.calibrate]
        yield Case(f"stages/{model.name}/{chip}", [
            *(dendrolith("compile", *on, "--emit", stage) for stage in STAGES),
            dendrolith("compile", *on, "--explain")])


def cases(shared):
    """Every case; `shared`: data of others beside the checkout are there too."""
    found = []
    for model in MODELS + (SHARED if shared else []):
        for group in (on_chips, interpreted, stages):
            found += group(model)
    found += [*command_cases(), *source_cases(), *bad_cases()]
    names = [case.name for case in found]
    assert len(set(names)) == len(names), "case names must differ"
    return found

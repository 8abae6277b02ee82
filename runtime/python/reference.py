# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the reference of the package (reference.md) from its signatures and docstrings.

    /usr/bin/python3 runtime/python/reference.py
"""
import dataclasses
import inspect
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import dendrolith as dl  # noqa: E402
from dendrolith import parts, plots, program  # noqa: E402

SECTIONS = {
    "Load, check, compile, explore": ["load", "from_layers", "from_torch", "check", "compile", "explore",
                                      "events_to_frames", "read_nir_data", "write_nir_data", "close"],
    "What they return": ["Network", "TorchNetwork", "Program", "Stepper", "Result", "Comparison", "Report", "Designs",
                         "Study"],
    "Parts of a result": ["Score", "Energy", "Band", "Latency", "Result.layers[name]", "Traces",
                          "Warned", "Result.plot", "Drawing"],
    "Parts of a check": ["Finding", "Verdict"],
    "Neurons of your own": ["neuron", "equations", "Neuron", "Port", "Param", "State", "Circuit"],
    "Neurons of training tools": ["snntorch", "norse", "spikingjelly", "sinabs"],
    "A chip in a training loop": ["torch"],
}
UNNAMED = {"Result.layers[name]": parts.Layer, "Result.plot": plots.Plot, "Drawing": plots.Drawing,
           "Stepper": program.Stepper}  # dl has no name for them
LAYERS, ERRORS = "Layers for from_layers", "What goes wrong"


def signature(name, item):
    """`name(x, y=1)` without types, which docstrings say in words."""
    parameters = []
    for parameter in inspect.signature(item).parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        text = str(parameter.replace(annotation=inspect.Parameter.empty))
        if parameter.default is not inspect.Parameter.empty and "object at" in text:
            text = f"{parameter.name}=..."
        parameters.append(text)
    return f"`{name}({', '.join(parameters)})`"


def plain(text):
    """Text whose stars are stars, but for code."""
    return "".join(part if part.startswith("`") else part.replace("*", "\\*")
                   for part in re.split(r"(`[^`]*`)", text))


def sentence(item):
    """The docstring in one line."""
    return plain(" ".join((inspect.getdoc(item) or "").split()))


def paragraph(item):
    """The docstring, an indented example in it as a block of code."""
    lines, code = [], False
    for line in (inspect.getdoc(item) or "").split("\n"):
        indented = line.startswith("    ")
        if indented != code and (indented or line):
            lines.append("```python" if indented else "```")
            code = indented
        lines.append(line[4:] if code else plain(line))
    return "\n".join(lines + (["```"] if code else []))


def own(item):
    return [(key, member) for key, member in vars(item).items() if not key.startswith("_")]


def describe_class(name, item):
    fields = [field.name for field in dataclasses.fields(item)] if dataclasses.is_dataclass(item) else []
    if all(f"`{field}`" in paragraph(item) for field in fields):
        fields = []  # the docstring says what each is
    print(f"### `{name}`\n")
    print(paragraph(item) + "\n")
    if fields:
        print(f"Has {', '.join(f'`{field}`' for field in fields)}.\n")
    for key, member in own(item):
        function = getattr(member, "__func__", member)
        if isinstance(member, property) or type(member).__name__ == "cached_property":
            text = sentence(getattr(member, "fget", None) or member.func)
            print(f"* **`.{key}`** {text}".rstrip())
        elif inspect.isfunction(function):
            print(f"* **{signature('.' + key, function)}** {sentence(function)}")
    if own(item):
        print()


def describe(name):
    item = UNNAMED.get(name) or getattr(dl, name)
    if inspect.isclass(item) and not name.islower():
        describe_class(name, item)
    elif inspect.isfunction(item):
        print(f"### {signature('dl.' + name, item)}\n\n{paragraph(item)}\n")
    else:  # a namespace of neurons
        print(f"### `dl.{name}`\n\n{paragraph(item)}\n")
        for key, member in own(item):
            function = getattr(member, "__func__", member)
            if getattr(dl, key, None) is function:
                continue  # stands above by its shorter name
            if inspect.isfunction(function) and inspect.getdoc(function) and \
                    (key in getattr(item, "__all__", ()) or
                     function.__module__ in (item.__name__, item.__module__ if inspect.isclass(item) else "")):
                print(f"* **{signature(f'dl.{name}.{key}', function)}** {sentence(function)}")
        print()


def keywords():
    """Where the keywords that stand for options of the command are said."""
    print("## Keywords\n\nThose of `compile`, `check`, `load` and `Program.run` are"
          " [options of a model](../driver/commands/README.md#options-of-a-model) and"
          " [of a run](../driver/commands/run.md#options), with `_` for `-` and `from_` for `from`; `tuning=` is a dict."
          " `dendrolith.options` lists them by function.")


def main():
    sections = {title: list(names) for title, names in SECTIONS.items()}
    named = {name for names in sections.values() for name in names}
    for name in dl.__all__:
        item = getattr(dl, name)
        if name in named or name.startswith("__"):
            continue
        wrong = inspect.isclass(item) and issubclass(item, (Exception, Warning))
        sections.setdefault(ERRORS if wrong else LAYERS, []).append(name)
    for title, names in sections.items():
        print(f"## {title}\n")
        for name in names:
            describe(name)
    keywords()


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Texts of the command in the words of Python.

The command names an option as its command line does, "--weight-bits 4" or "--import
dt=1e-3"; here the same option is a keyword, weight_bits=4 or dt=1e-3. A network may
have a word of its own for a convention: what a layer of a training tool calls it.
"""

from __future__ import annotations

import re
import tempfile
from typing import Mapping, Optional

from .options import CHOICES, CONVENTIONS, CompileOptions, RunOptions, Tuning

#: "reset=value" -> 'reset_mechanism="zero"': a convention in the words of a layer.
Own = Mapping[str, str]

#: Options that are arguments here, or that have another name.
_ARGUMENTS = {
    name: name
    for name in (
        "target", "calibrate", "labels", "metric", "engine", "trace", "out", "weights"
    )
}
_ARGUMENTS["input"] = "x"
_KEYWORDS = {
    **{
        name.replace("_", "-"): name
        for table in (CompileOptions, RunOptions)
        for name in table.__annotations__
    },
    **_ARGUMENTS,
}
_CHOICES = {
    **CHOICES,
    "engine": "float|reference|functional|cycle",
    "compare": "float|reference",
    "metric": "accuracy|r2",
}
#: Where arrays and networks lie on their way to the binary.
_SCRATCH = r"(?:{}|[^\s'\"=]*)/dendrolith-\w{{6}}/(?:run|r\w{{8}})/"
_TUNING = {name.replace("_", "-"): name for name in Tuning.__annotations__}
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_BOUNDARY = r"(?<![^\s('\"])"
_IMPORT = re.compile(_BOUNDARY + r"--import ([a-z][a-z-]*)(?:=([\w.+@-]*\w))?(?=(:)?)")
_OF_A_NODE = re.compile(_BOUNDARY + r"--import ([^\s=]+:[a-z][a-z-]*)(?:=([\w.-]*\w))?")
#: Those behind the first one of a list: "--import from=norse, from=sinabs".
_NEXT = re.compile(
    r"(?<![\w:-])("
    + "|".join(sorted(name.rstrip("_").replace("_", "-") for name in CONVENTIONS))
    + r")=([\w.+@-]*\w)()"
)
_OPTION = re.compile(
    _BOUNDARY + r"--([a-z][a-z-]*)(?:=([^\s,;:)]+)| ('[^']*'|[\w-]+))?(?=(:)?)"
)
_KEY = re.compile(r"\b([a-z]+(?:-[a-z]+)*)(?:: (\w+))? of --tuning\b")


def _value(text: str) -> str:
    """A value as Python writes it."""
    if text.startswith("'"):
        return text
    try:
        float(text)
        return text
    except ValueError:
        return f'"{text}"'


def _option(keyword: str, value: Optional[str], colon: Optional[str]) -> str:
    if value is not None:
        return f"{keyword}={_value(value)}"
    return keyword if colon else f"{keyword}="


def _is_value(keyword: str, word: str) -> bool:
    """Whether the word behind an option is its value and not the next of the text."""
    return (
        word.startswith("'")
        or "_" in word
        or word[0].isdigit()
        or word in _CHOICES.get(keyword, "").split("|")
    )


def _typed(found: "re.Match[str]") -> str:
    name, value, behind, colon = found.groups()
    keyword = _KEYWORDS.get(name)
    if keyword is None:
        return found.group(0)
    if behind is not None and _is_value(keyword, behind):
        return _option(keyword, behind, colon)
    rest = "" if behind is None else f" {behind}"
    return _option(keyword, value, colon if behind is None else None) + rest


def _without_middle(text: str, most: int, end: int) -> str:
    if len(text) <= most:
        return text
    left = len(text) - most
    return f"{text[:most - end]} ... ({left} characters are left out here) ... {text[-end:]}"


def hinted(text: Optional[str], own: Optional[Own] = None) -> Optional[str]:
    """Return what to do, in the words of Python; arrays have no file to write again."""
    return None if text is None else said(text, own).replace(" and write the file again", "")


def shortened(text: str) -> str:
    """Return a text that a person can read: words, lines and wholes that are too long
    have their middle left out, and control characters are "\\x1b".
    """
    lines = [
        _without_middle(
            " ".join(_without_middle(word, 400, 100) for word in line.split(" ")), 2000, 400
        )
        for line in _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text).split("\n")
    ]
    return _without_middle("\n".join(lines), 4096, 512)


def without_scratch(text: str) -> str:
    """Return a text with the names alone of files that only the package sees."""
    if "/dendrolith-" not in text:
        return text
    folder = _SCRATCH.format(re.escape(tempfile.gettempdir()))
    text = re.sub(f"(labels|input) '{folder}[^']*'", r"\1", text)
    layer = re.sub(folder + r"[^/:']*\.nir: node (?=')", "layer ", text)
    if layer != text:
        layer = layer.replace(" and write the file again", "")
    return re.sub(folder, "", layer)


def said(text: str, own: Optional[Own] = None) -> str:
    """Return a text of the command with keywords in place of flags."""

    def convention(found: "re.Match[str]") -> str:
        name, value, colon = found.groups()
        keyword = name.replace("-", "_")
        keyword += "_" if keyword + "_" in CONVENTIONS else ""
        if keyword not in CONVENTIONS:
            return found.group(0)
        layers = (own or {}).get(f"{name}={value}")
        return layers or _option(keyword, value, colon)

    def of_a_node(found: "re.Match[str]") -> str:
        name, value = found.groups()
        return f'"{name}"' + (f": {_value(value)}" if value else "")

    def key(found: "re.Match[str]") -> str:
        name, value = found.groups()
        if name not in _TUNING:
            return found.group(0)
        if value is None:
            return f"{_TUNING[name]} of tuning="
        return f'tuning={{"{_TUNING[name]}": {_value(value)}}}'

    if text.startswith("The following argument"):  # a keyword that there is not
        return re.sub(r"--([a-z][\w-]*)", lambda m: m[1].replace("-", "_"), text)
    told = without_scratch(text)
    if "--import " in told:
        told = _NEXT.sub(convention, _IMPORT.sub(convention, told))
        told = _OF_A_NODE.sub(of_a_node, told)
    told = _KEY.sub(key, told)
    return _OPTION.sub(_typed, told)

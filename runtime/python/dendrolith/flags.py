# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keyword arguments as flags of the command: map_for="energy" is --map-for energy."""

from __future__ import annotations

import os
from typing import Any, List, Mapping

from .errors import DendrolithError

# Flags with the name of a file, which may be relative to where Python is now.
_FILES = {"placement", "map_constraints", "map_from", "costs", "map_costs"}
# Flags that are repeated, where others take a list with commas.
_REPEATED = {"rewrite", "override_limit"}


def _text(name: str, value: Any) -> str:
    if isinstance(value, Mapping):
        return ",".join(f"{key}={_text(name, one)}" for key, one in value.items())
    if isinstance(value, (list, tuple)):
        return ",".join(_text(name, one) for one in value)
    if isinstance(value, float):
        return repr(value)
    text = str(os.fspath(value)) if isinstance(value, os.PathLike) else str(value)
    if name in _FILES and os.path.exists(text):
        return os.path.abspath(text)
    return text


def target_text(target: Any) -> str:
    """Return a chip by its name, or by an absolute path of its file."""
    text = str(os.fspath(target))
    name, comma, changes = text.partition(",")
    if os.sep in name or name.endswith(".yaml"):
        name = os.path.abspath(name)
    return name + comma + changes


def flags_of(options: Mapping[str, Any]) -> List[str]:
    """Return the arguments of the command for keyword arguments.

    True is a flag alone, False and None leave it out, a list becomes "8,4", a
    dict "L1=8,L2=4".
    """
    arguments: List[str] = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            arguments.append(flag)
        elif name in _REPEATED and isinstance(value, (list, tuple)):
            for one in value:
                arguments += [flag, _text(name, one)]
        else:
            text = _text(name, value)
            if not text:
                raise DendrolithError(f"{name}: expected a value, found '{value}'")
            # "--reset=..." keeps what begins with '-' from being a flag.
            arguments.append(f"{flag}={text}")
    return arguments

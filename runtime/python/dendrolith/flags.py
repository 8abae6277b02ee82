# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keyword arguments as flags of the command: map_for="energy" is --map-for energy.

options.py has the keywords, from the command's own table.
"""

from __future__ import annotations

import numbers
import os
from typing import Any, List, Mapping

from .errors import DendrolithError
from .options import CONVENTIONS, FILES, REPEATED
from .texts import clean, kind_of, path_of


def _text(name: str, value: Any) -> str:
    if isinstance(value, Mapping):
        return ",".join(f"{key}={_text(name, one)}" for key, one in value.items())
    if isinstance(value, (list, tuple)):
        return ",".join(_text(name, one) for one in value)
    if isinstance(value, float):
        return repr(float(value))
    if not isinstance(value, (str, int, os.PathLike, numbers.Real)):
        raise DendrolithError(
            f"{name}: expected a text, a number, or a list or dict of them, found "
            f"{kind_of(value)}"
        )
    text = str(os.fspath(value)) if isinstance(value, os.PathLike) else str(value)
    clean(text, name)
    if name in FILES and os.path.exists(text):
        return os.path.abspath(text)
    return text


def convention_text(name: str, value: Any) -> str:
    """Return a convention as --import takes it, "lif2:reset=zero"; nothing where it
    is not given."""
    node, colon, key = name.rpartition(":")
    if value is None or value is False:
        return ""
    if key not in CONVENTIONS and key + "_" not in CONVENTIONS:
        raise DendrolithError(
            f"'{key}' is no convention; help(dendrolith.load) lists them"
        )
    text = _text(name, value)
    if not text or "," in text:
        raise DendrolithError(f"{name}: expected one value, found '{value}'")
    return f"{node}{colon}{key.rstrip('_').replace('_', '-')}={text}"


def target_text(target: Any) -> str:
    """Return a chip by its name, or by an absolute path of its file."""
    if not isinstance(target, (str, os.PathLike)):
        raise DendrolithError(
            "target: expected the name of a chip such as 'loihi2' or the path of its "
            f"file, found {kind_of(target)}"
        )
    text = clean(os.fspath(target), "target")
    name, comma, changes = text.partition(",")
    if os.sep in name or name.endswith(".yaml"):
        name = os.path.abspath(name)
    return name + comma + changes


def _tuning(value: Any) -> str:
    """A file of --tuning, or a dict as the text of one."""
    if not isinstance(value, Mapping):
        return path_of(value, "tuning")
    words = (
        f"{key.replace('_', '-')}: "
        + (str(one).lower() if isinstance(one, bool) else _text(key, one))
        for key, one in value.items()
    )
    return "{" + ", ".join(words) + "}"


def flags_of(options: Mapping[str, Any]) -> List[str]:
    """Return the arguments of the command for keyword arguments. A convention of one
    node is "NODE:reset", and `from_` is the key "from".

    True is a flag alone, False and None leave it out, a list becomes "8,4", a
    dict "L1=8,L2=4".
    """
    arguments: List[str] = []
    for name, value in options.items():
        if name in ("help", "version"):
            raise DendrolithError(
                f"{name}: is no keyword here; help(dendrolith.compile) lists them"
            )
        node, colon, key = name.rpartition(":")
        flag = "--" + node + colon + key.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if name == "tuning":
            arguments.append(f"{flag}={_tuning(value)}")
        elif value is True:
            arguments.append(flag)
        elif name in REPEATED and isinstance(value, (list, tuple)):
            for one in value:
                arguments += [flag, _text(name, one)]
        else:
            if key in CONVENTIONS or key + "_" in CONVENTIONS:
                text, flag = convention_text(name, value), "--import"
            else:
                text = _text(name, value)
            if not text:
                raise DendrolithError(f"{name}: expected a value, found '{value}'")
            # "--cores=..." keeps what begins with '-' from being a flag.
            arguments.append(f"{flag}={text}")
    return arguments

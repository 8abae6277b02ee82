# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the `dendrolith` binary is."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Iterator

from .errors import DendrolithError


def _beside() -> Iterator[Path]:
    """Yield the places where an installation or a build has the binary."""
    package = Path(__file__).resolve().parent
    yield package / "bin" / "dendrolith"  # carried by the package
    yield Path(sys.prefix) / "bin" / "dendrolith"  # of the same environment
    parents = package.parents
    if len(parents) > 1:
        yield parents[1] / "bin" / "dendrolith"  # build/python/dendrolith
    if len(parents) > 2 and (parents[2] / "CMakeLists.txt").exists():
        yield parents[2] / "build" / "bin" / "dendrolith"  # runtime/python/dendrolith
    if len(parents) > 3:
        yield parents[3] / "bin" / "dendrolith"  # lib/python3/dist-packages/dendrolith


def find_binary() -> str:
    """Return the path of the binary.

    The variable DENDROLITH_BIN comes first, then what lies beside this package,
    then PATH. Raises DendrolithError that says where it was looked for.
    """
    given = os.environ.get("DENDROLITH_BIN")
    if given:
        if not os.path.isfile(given) or not os.access(given, os.X_OK):
            raise DendrolithError(
                f"DENDROLITH_BIN names '{given}', which is no program that can be "
                "run; correct the variable or unset it",
                file=given,
                hint="correct the variable DENDROLITH_BIN or unset it",
            )
        return given
    places = list(_beside())
    for place in places:
        if place.is_file() and os.access(place, os.X_OK):
            return str(place)
    found = shutil.which("dendrolith")
    if found:
        return found
    looked = ", ".join(str(place) for place in places)
    raise DendrolithError(
        "the program 'dendrolith' is not found, neither beside this package "
        f"({looked}) nor on PATH; build it with ./quickstart and set DENDROLITH_BIN "
        "to build/bin/dendrolith",
        hint="build it with ./quickstart and set DENDROLITH_BIN to build/bin/dendrolith",
    )

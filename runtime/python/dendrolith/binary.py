# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the `dendrolith` binary is, and what came with it."""

from __future__ import annotations

import os
import re
import shutil
import site
import subprocess
import sys
from pathlib import Path
from typing import Iterator

from .errors import DendrolithError
from .words import said

_PLACE = re.compile(r"^(.*?):(\d+):(\d+): ")


def _prefixes() -> Iterator[Path]:
    """Yield the folders that may have bin/ and share/ of an installation or a build."""
    package = Path(__file__).resolve().parent
    yield Path(sys.prefix)  # of the same environment
    yield Path(site.getuserbase())  # pip install --user
    parents = package.parents
    yield parents[0]  # pip install --target
    if len(parents) > 1:
        yield parents[1]  # build/python/dendrolith
    if len(parents) > 2 and (parents[2] / "CMakeLists.txt").exists():
        yield parents[2] / "build"  # runtime/python/dendrolith
    if len(parents) > 3:
        yield parents[3]  # lib/python3/dist-packages/dendrolith


def shipped(name: str) -> Path:
    """Return a folder that comes with the program: shipped("models/lif"), shipped("targets").

    Names are those of the repository. Raises DendrolithError where it is not there.
    """
    places = [Path(find_binary()).resolve().parents[1]]
    places += list(_prefixes())
    for place in places:
        found = place / "share" / "dendrolith" / name
        if found.exists():
            return found
    sources = Path(__file__).resolve().parents[3:4]
    for root in sources:
        if (root / "CMakeLists.txt").exists() and (root / name).exists():
            return root / name
    raise DendrolithError(
        f"'{name}' did not come with this installation; `dendrolith doctor` says what did",
        hint="see `dendrolith doctor`",
    )


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
    places = [prefix / "bin" / "dendrolith" for prefix in _prefixes()]
    for place in places:
        if place.is_file() and os.access(place, os.X_OK):
            return str(place)
    found = shutil.which("dendrolith")
    if found:
        return found
    looked = ", ".join(dict.fromkeys(map(str, places)))
    raise DendrolithError(
        "the program 'dendrolith' is not found, neither beside this package "
        f"({looked}) nor on PATH; install a wheel (pip install dendrolith-*.whl), which "
        "holds it, or set DENDROLITH_BIN to a program that was built",
        hint="install a wheel, or set DENDROLITH_BIN to a program that was built",
    )


def optimise() -> None:
    """Run `dendrolith-opt`: the one beside the program, or the program by that name."""
    try:
        program = Path(find_binary())
    except DendrolithError as error:
        sys.exit(f"error: {error}")
    beside = program.with_name("dendrolith-opt")
    if beside.exists() and not beside.samefile(sys.argv[0]):
        program = beside
    os.execv(program, ["dendrolith-opt", *sys.argv[1:]])


def ran(command: str, *arguments: str) -> str:
    """Run a command and return what it prints; Ctrl-C reaches its workers, too.

    Raises DendrolithError with what it said, and the place in a file where it names one.
    """
    binary = find_binary()
    done = subprocess.run(
        [binary, command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    if done.returncode == 0:
        return done.stdout.decode(errors="replace")
    told = done.stderr.decode(errors="replace").strip()
    message = said(re.sub(r"^error: ", "", told, flags=re.MULTILINE))
    place = _PLACE.match(message)
    message = message or f"{binary}: {command} ended with status {done.returncode}"
    if place is None:
        raise DendrolithError(message)
    file, line, column = place.groups()
    raise DendrolithError(message, file, int(line), int(column))

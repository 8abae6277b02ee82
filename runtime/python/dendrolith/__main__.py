# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m dendrolith demo` is `dendrolith demo`, of the program that the package finds."""

import os
import sys

from .binary import find_binary
from .errors import DendrolithError


def become(name: str) -> None:
    """Replace this process by the program, called by one of its names."""
    try:
        program = find_binary()
    except DendrolithError as error:
        sys.exit(f"error: {error}")
    try:
        os.execv(program, [name, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"error: {program}: cannot be started: {error.strerror}")


if __name__ == "__main__":
    become("dendrolith")

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays and files as they were when they were given: a run that is repeated, or a
program that is made again, gets the same or is refused."""

from __future__ import annotations

import hashlib
import os
from typing import Callable, List, NamedTuple, Optional

from .errors import DendrolithError

_SMALL = 1 << 20  # bytes; so much is kept, of more the digest


class Placed(NamedTuple):
    """A file for the command: `flag` and what stands before the path, which is
    the user's own or was written for the call. `what` names it in errors."""

    flag: str
    before: str
    path: str
    is_written: bool
    what: str

    def arguments(self) -> List[str]:
        return [self.flag, self.before + self.path]


class _Kept(NamedTuple):
    placed: Placed
    digest: str
    content: Optional[bytes]


def digest_of(path: str) -> str:
    """The SHA-256 of a file, read in pieces; of a missing one, which the binary
    refuses, there is none."""
    total = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            for piece in iter(lambda: file.read(_SMALL), b""):
                total.update(piece)
    except OSError:
        return ""
    return total.hexdigest()


def _keep(placed: Placed, room: int) -> _Kept:
    content = None
    if placed.is_written and os.path.getsize(placed.path) <= room:
        with open(placed.path, "rb") as file:
            content = file.read()
        return _Kept(placed, hashlib.sha256(content).hexdigest(), content)
    return _Kept(placed, digest_of(placed.path), content)


class Given:
    """What `write` places in a folder, the same each time.

    Small arrays are kept as they were. Of large ones and of the user's files there
    is the digest: `arguments` raises DendrolithError, by name, where one of them
    was changed.
    """

    def __init__(self, write: Callable[[str], List[Placed]]) -> None:
        self._write: Optional[Callable[[str], List[Placed]]] = write
        self._kept: Optional[List[_Kept]] = None

    def arguments(self, folder: str) -> List[str]:
        """Place everything in `folder` and return the flags of the command."""
        if self._kept is None:
            placed = self._first(folder)
        elif self._write is None:
            placed = [self._again(kept, folder) for kept in self._kept]
        else:
            placed = self._write(folder)
            for kept, now in zip(self._kept, placed):
                _hold(kept, digest_of(now.path))
        return [text for one in placed for text in one.arguments()]

    def _first(self, folder: str) -> List[Placed]:
        assert self._write
        placed, room = self._write(folder), _SMALL
        kept = []
        for one in placed:
            kept.append(_keep(one, room))
            room -= len(kept[-1].content or b"")
        self._kept = kept
        if all(k.content is not None or not k.placed.is_written for k in kept):
            self._write = None  # lets go of the arrays
        return placed

    def _again(self, kept: _Kept, folder: str) -> Placed:
        if kept.content is None:
            _hold(kept, digest_of(kept.placed.path))
            return kept.placed
        path = os.path.join(folder, os.path.basename(kept.placed.path))
        with open(path, "wb") as file:
            file.write(kept.content)
        return kept.placed._replace(path=path)


def _hold(kept: _Kept, digest: str) -> None:
    if digest != kept.digest:
        of = "" if kept.placed.is_written else f" ({kept.placed.path})"
        remedy = "give it as it was, or begin again with what it is now"
        raise DendrolithError(
            f"{kept.placed.what}{of}: was changed after it was given, so this would "
            f"be about other numbers; {remedy}",
            file=None if kept.placed.is_written else kept.placed.path,
            hint=remedy,
        )

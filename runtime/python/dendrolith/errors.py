# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is raised when something is wrong, and what is only warned of."""

from __future__ import annotations

from typing import Any, Mapping, Optional

from .words import Own, hinted, said, shortened, without_scratch


class DendrolithError(Exception):
    """Bad input, a network that a chip refuses, or a binary that failed.

    `message` says place, what was expected, what was found and what to do. The
    other attributes are parts of it, None where the message does not say them:
    `file`, `line` and `column` of a text file, the `node` (or population) of the
    network, and `hint`, what to do.
    """

    def __init__(
        self,
        message: str,
        file: Optional[str] = None,
        line: Optional[int] = None,
        column: Optional[int] = None,
        node: Optional[str] = None,
        hint: Optional[str] = None,
    ) -> None:
        message = shortened(message)
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.node = node
        self.hint = hint


class Unfit(DendrolithError):
    """The network is sound, and the chip has too little of something for it."""


class Unsupported(DendrolithError):
    """The chip, or NIR, has nothing that a part of the network could become."""


class WorkerDied(DendrolithError):
    """The binary ended before it answered: it crashed or somebody killed it."""

    status = 0  #: of the process; negative for a signal
    how = told = ""  #: how it ended, and its last words


class DendrolithWarning(UserWarning):
    """Something that is probably not meant, although it can be run."""


_REMEDY = "what would make it fit is "  # as the mapper says it
_KINDS = {"unfit": Unfit, "unsupported": Unsupported}


def error_of(answer: Mapping[str, Any], own: Optional[Own] = None) -> DendrolithError:
    """Make the exception for the `error` of an answer of `dendrolith serve`."""
    kind = _KINDS.get(str(answer.get("kind")), DendrolithError)
    message, hint = said(answer["message"].rstrip(), own), answer.get("hint")
    if hint is not None:
        hint = hinted(hint, own)
    elif _REMEDY in message:
        hint = message.split(_REMEDY)[1].splitlines()[0]
    return kind(
        message,
        without_scratch(answer["file"]) if answer.get("file") else None,
        answer.get("line"),
        answer.get("column"),
        answer.get("node"),
        hint,
    )

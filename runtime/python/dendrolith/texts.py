# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names and paths on their way to the binary, which are texts without control
characters: a NUL would cut a path there."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import Any, Iterable, Iterator, List, Mapping

from .errors import DendrolithError


def clean(text: str, what: str) -> str:
    """Return `text` if it can be a name or a path, else say where it cannot."""
    if not isinstance(text, str):
        raise DendrolithError(f"{what}: expected a text, found {kind_of(text)}")
    for at, letter in enumerate(text):
        if letter < " " or letter == "\x7f":
            raise DendrolithError(
                f"{what}: has the control character {letter!r} at {at}, expected a "
                f"text without any: {ascii(text[:80])}"
            )
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise DendrolithError(
            f"{what}: is no UTF-8 at {error.start}: {ascii(text[:80])}; give it "
            "another name"
        ) from error
    return text


def path_of(value: Any, what: str) -> str:
    """Return a path as an absolute text."""
    if not isinstance(value, (str, os.PathLike)):
        raise DendrolithError(
            f"{what}: expected the path of a file, found {kind_of(value)}"
        )
    path = os.fspath(value)
    if not isinstance(path, str):
        raise DendrolithError(f"{what}: expected a path of text, found {path!r}")
    if not path:
        raise DendrolithError(f"{what}: expected a path, found an empty text")
    return os.path.abspath(clean(path, what))


#: What a user has of a network, and there may be no copy of.
_SOURCES = (".nir", ".npz", ".npy", ".pt2", ".net", ".pb", ".mlir", ".mlirbc", ".json", ".yaml")


def written(value: Any, what: str) -> str:
    """Return the path of an image, page or archive, which replaces no model or array."""
    path = path_of(value, what)
    if path.endswith(_SOURCES) and os.path.isfile(path):
        raise DendrolithError(
            f"{what}: {path} is there, and by its name a model or array that would be lost; "
            "give another name"
        )
    return path


def kind_of(value: Any) -> str:
    return "None" if value is None else f"a {type(value).__name__}"


def _escaped(name: str) -> str:
    for letter in "\\,:":
        name = name.replace(letter, "\\" + letter)
    return name


def _trace(item: Any, populations: Mapping[str, Any]) -> str:
    if not isinstance(item, str) or not item:
        raise DendrolithError(
            f"trace: expected names such as 'lif1' or 'lif1:v', found {item!r:.80}"
        )
    clean(item, "trace")
    if item in populations:
        return _escaped(item)
    name, colon, state = item.rpartition(":")
    if colon and not state:
        raise DendrolithError(
            f"trace '{item}': expected the name of a state behind the colon, or no "
            "colon"
        )
    if name in populations:
        return f"{_escaped(name)}:{_escaped(state)}"
    return item  # the command says what there is


def trace_flags(trace: Any, populations: Iterable[str]) -> List[str]:
    """Return the flag for what is to be recorded; a name may hold commas and
    colons, which the command takes behind a backslash."""
    if isinstance(trace, str):
        trace = [trace]
    try:
        items = list(trace)
    except TypeError as error:
        raise DendrolithError(
            "trace: expected a name such as 'lif1:v', or a list of them, found "
            f"{kind_of(trace)}"
        ) from error
    known = dict.fromkeys(populations)
    texts = [_trace(item, known) for item in items]
    return [f"--trace={','.join(texts)}"] if texts else []


@contextmanager
def replacing(path: str) -> Iterator[str]:
    """Lend the name of a file beside `path`, which takes its place if all goes
    well, and of which nothing stays if not."""
    folder, name = os.path.split(path)
    if not os.path.isdir(folder):
        raise DendrolithError(f"{path}: there is no folder {folder}", file=path)
    part = os.path.join(folder, f".{os.getpid()}-{name}")
    try:
        yield part
        os.replace(part, path)
    except OSError as error:
        raise DendrolithError(
            f"{path}: cannot be written: {error.strerror or error}", file=path
        ) from error
    finally:
        if os.path.exists(part):
            os.unlink(part)

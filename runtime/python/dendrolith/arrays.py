# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays on their way to the binary: checked here, where the message can say
what to do in Python, and written as .npy files."""

from __future__ import annotations

import os
import warnings
import zipfile
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from .errors import DendrolithError, DendrolithWarning
from .given import Placed
from .texts import path_of

_PIECE = 1 << 20  # elements that are looked at at a time
#: An array, something with `numpy()` (a torch tensor) or the path of a .npy file.
ArrayLike = Any
#: One of them, or one for each input by its name.
Inputs = Union[ArrayLike, Mapping[str, ArrayLike]]


def to_numpy(value: ArrayLike, what: str) -> np.ndarray:
    """Return `value` as an array of numbers that are finite.

    `value` may be an array, a list, or a tensor of torch, on any device and with
    or without a gradient. `what` names it in errors.
    """
    array = as_array(value, what)
    if array.dtype.names:
        raise DendrolithError(
            f"{what}: is an array of records with the fields "
            f"{', '.join(array.dtype.names)}; make frames of events with "
            "dendrolith.events_to_frames",
            hint="make frames of events with dendrolith.events_to_frames",
        )
    if array.dtype == bool:
        array = array.view(np.uint8)  # the same bytes: no copy of a large input
    elif array.dtype == np.float16:
        array = array.astype(np.float32)
    elif array.dtype.kind == "f" and array.dtype.itemsize > 8:
        array = array.astype(np.float64)
    if array.dtype.kind not in "iuf":
        raise DendrolithError(
            f"{what}: has the type {array.dtype}, expected whole or real numbers"
            + (_odd_part(array) if array.dtype == object else "")
        )
    at = _not_finite(array) if array.dtype.kind == "f" else None
    if at is not None:
        raise DendrolithError(
            f"{what}: is {array[at]} at {list(at)}, expected finite numbers; repair "
            "or leave out what has no value",
            hint="repair or leave out what has no value",
        )
    if array.dtype.kind == "u" and array.dtype.itemsize == 8 and array.size:
        most = array.max()
        if most >= 1 << 63:
            raise DendrolithError(f"{what}: goes up to {most}, expected at most 2^63 - 1")
    return array


def as_array(value: ArrayLike, what: str) -> np.ndarray:
    """What numpy makes of a value, whatever its own methods raise. Masked values
    have no number, so that none may be masked."""
    if isinstance(value, np.ma.MaskedArray):
        hidden = int(np.ma.getmaskarray(value).sum())  # type: ignore[no-untyped-call]
        if hidden:
            raise DendrolithError(
                f"{what}: {hidden} of {value.size} values are masked, expected a "
                "number for each; fill them with x.filled(0), or leave them out",
                hint="fill masked values with x.filled(0), or leave them out",
            )
        value = value.data
    try:
        if hasattr(value, "detach"):
            value = value.detach().cpu()
        if not isinstance(value, np.ndarray) and callable(getattr(value, "numpy", None)):
            value = value.numpy()
        return np.asarray(value)
    except Exception as error:  # of a foreign class, which may raise anything
        raise DendrolithError(f"{what}: is no array: {error}") from error


def _odd_part(array: np.ndarray) -> str:
    """Say which part of an array of objects keeps it from being one of numbers."""
    if array.ndim == 0:
        return f"; it is a {type(array[()]).__name__}, give an array or a list"
    for at, part in enumerate(array.flat):
        where = [int(i) for i in np.unravel_index(at, array.shape)]
        if isinstance(part, (list, tuple, np.ndarray)):
            return f"; its parts have different shapes, the first at {where}"
        if isinstance(part, int) and not -(1 << 63) <= part < 1 << 64:
            return f"; the number at {where} has more than 64 bits"
        if not isinstance(part, (int, float, np.number, np.bool_)):
            return f"; there is a {type(part).__name__} at {where}"
    return "; its parts are Python's numbers, take x.astype(float)"


def _not_finite(array: np.ndarray) -> Optional[Tuple[int, ...]]:
    """Return where the first NaN or infinity is, looking at some of the array at
    a time, so that a large one needs no second array of its size."""
    if array.ndim == 0:
        return None if np.isfinite(array) else ()
    rows = max(1, _PIECE // max(1, array.size // max(1, len(array))))
    for begin in range(0, len(array), rows):
        bad = ~np.isfinite(array[begin : begin + rows])
        if bad.any():
            first = [int(i) for i in np.argwhere(bad)[0]]
            return (begin + first[0], *first[1:])
    return None


def _shape_text(shape: Sequence[int]) -> str:
    return ", ".join(str(extent) for extent in shape)


def to_samples(
    value: ArrayLike,
    port: Mapping[str, Any],
    time_first: bool = False,
    usual_steps: Optional[int] = None,
) -> np.ndarray:
    """Return an input as (samples, steps, *shape) or (steps, *shape).

    `port` says `name`, `shape` and whether it takes `tokens`. With `time_first`
    the array is (steps, samples, *shape), as snnTorch has it. Where the first
    axis and not the second one has `usual_steps` entries, a warning asks whether
    it is.
    """
    name, shape = str(port["name"]), tuple(port["shape"])
    what = f"input '{name}'"
    array = to_numpy(value, what)
    as_tokens = port.get("tokens") and array.ndim <= 2 and array.dtype.kind in "iu"
    inner: Tuple[int, ...] = () if as_tokens else shape
    leading = array.ndim - len(inner)
    if leading not in (1, 2) or tuple(array.shape[leading:]) != inner:
        raise DendrolithError(_wrong_shape(what, array, inner), node=name)
    if not array.size:
        raise DendrolithError(
            f"{what}: expected at least one sample of one step, found shape "
            f"{array.shape}",
            node=name,
        )
    if time_first:
        if leading != 2:
            raise DendrolithError(
                f"{what}: time_first is for (steps, samples, "
                f"{_shape_text(inner)}), found shape {array.shape} with one axis in "
                "front; leave time_first out",
                node=name,
            )
        return np.swapaxes(array, 0, 1)
    if leading == 2 and usual_steps and array.shape[0] == usual_steps:
        if array.shape[1] != usual_steps:
            warnings.warn(
                f"{what}: has shape {array.shape}, taken as {array.shape[0]} samples "
                f"of {array.shape[1]} steps, but the samples for calibration had "
                f"{usual_steps} steps; if time comes first, as in snnTorch, give "
                "time_first=True",
                DendrolithWarning,
                stacklevel=6,
            )
    return array


def _wrong_shape(what: str, array: np.ndarray, inner: Tuple[int, ...]) -> str:
    expected = _shape_text(("samples", "steps") + inner)  # type: ignore[arg-type]
    alone = _shape_text(("steps",) + inner)  # type: ignore[arg-type]
    text = f"{what}: has shape {array.shape}, expected ({expected}) or ({alone})"
    tail = tuple(array.shape[-len(inner) :]) if inner else ()
    if len(inner) == 3 and tail == (inner[1], inner[2], inner[0]):
        return text + "; channels come first here, use numpy.moveaxis(x, -1, -3)"
    if len(inner) > 1 and array.shape[-1:] == (int(np.prod(inner)),):
        return text + "; it is flat, reshape its last axis"
    if len(inner) == 1 and array.ndim > 1 and array.ndim <= 5:
        for front in (1, 2):
            if int(np.prod(array.shape[front:])) == inner[0]:
                return text + "; flatten the axes behind the first ones"
    return text


def to_labels(
    labels: ArrayLike,
    samples: Optional[int],
    steps: Optional[int],
    classes: Optional[int],
    metric: Optional[str],
) -> np.ndarray:
    """Return labels that are sure to mean what they say.

    Classes are counted from 0. `samples`, `steps` and `classes` are those of the
    run, None where they are not known.
    """
    array = to_numpy(labels, "labels")
    if metric and metric.startswith("r2"):
        return array
    if array.dtype.kind == "f":
        if not (array == np.rint(array)).all():
            raise DendrolithError(
                "labels: hold fractions, expected a class from 0 on for each "
                "sample; give metric='r2' if the answers are numbers"
            )
        array = array.astype(np.int64)
    if array.ndim == 2 and classes and array.shape == (samples, classes) != (
        samples,
        steps,
    ):
        raise DendrolithError(
            f"labels: have shape {array.shape}, expected one class for each of "
            f"{samples} samples; of one-hot rows take labels.argmax(axis=1)",
            hint="take labels.argmax(axis=1)",
        )
    if samples is not None and array.ndim and array.shape[0] != samples:
        text = f"labels: there are {array.shape[0]} and {samples} samples"
        if steps is not None and array.shape[0] == steps:
            text += (
                f" of {steps} steps; the input looks as if time came first, as in "
                "snnTorch: give time_first=True"
            )
        else:
            text += ", expected as many"
        raise DendrolithError(text)
    asked = array[array != -100] if array.ndim == 2 else array
    if asked.size and int(asked.min()) < 0:
        raise DendrolithError(
            f"labels: hold {int(asked.min())}, expected classes from 0 on"
            + (" and -100 where none is asked for" if array.ndim == 2 else "")
        )
    if classes and asked.size and int(asked.max()) >= classes > 1:
        text = (
            f"labels: go from {int(asked.min())} to {int(asked.max())}, and the "
            f"network has the classes 0 to {classes - 1}"
        )
        if int(asked.min()) == 1 and int(asked.max()) == classes:
            text += "; they look as if they began at 1: take labels - 1"
        raise DendrolithError(text)
    return array


def write(array: np.ndarray, path: str) -> str:
    """Write a .npy file; an error says that the disk is full."""
    try:
        np.save(path, array, allow_pickle=False)
    except OSError as error:
        raise DendrolithError(
            f"{path}: cannot write {array.nbytes} bytes for dendrolith: "
            f"{error.strerror or error}; set TMPDIR to a folder with room",
            file=path,
            hint="set TMPDIR to a folder with room",
        ) from error
    return path


def write_archive(arrays: Mapping[str, np.ndarray], target: Any) -> None:
    """Write a .npz file as numpy.savez does, but with any key, "file" too."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for key, array in arrays.items():
            with archive.open(f"{key}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(  # type: ignore[no-untyped-call]
                    member, np.asarray(array), allow_pickle=False
                )


def is_path(value: Any) -> bool:
    """Whether an input is named by its file, which then is not read here."""
    return isinstance(value, (str, os.PathLike))


def _by_name(
    inputs: Inputs, ports: Sequence[Mapping[str, Any]]
) -> Dict[str, ArrayLike]:
    """Inputs by the names of their ports."""
    names = [str(port["name"]) for port in ports]
    have = ", ".join(names) or "none"
    if isinstance(inputs, Mapping):
        for name in inputs:
            if name not in names:
                raise DendrolithError(
                    f"no input '{name}', the network has {have}", node=str(name)
                )
        return dict(inputs)
    if len(ports) == 1:
        return {names[0]: inputs}
    raise DendrolithError(
        f"the network has {len(ports)} inputs ({have}), expected a dict with an array "
        "for each"
    )


def place_inputs(
    inputs: Optional[Inputs],
    ports: Sequence[Mapping[str, Any]],
    folder: str,
    flag: str,
    time_first: bool,
    usual_steps: Optional[int],
) -> Tuple[List[Placed], Dict[str, np.ndarray]]:
    """Write inputs to a folder.

    Returns them as files for `flag` of the command and, of those that are in
    memory, the arrays by name.
    """
    if inputs is None:
        return [], {}
    by_name = {str(port["name"]): port for port in ports}
    placed, arrays = [], {}
    for name, value in _by_name(inputs, ports).items():
        what = f"input '{name}'"
        if is_path(value):
            if time_first:
                raise DendrolithError(
                    f"{what}: time_first needs the array itself; load the "
                    "file with numpy.load(path, mmap_mode='r')"
                )
            path = os.path.realpath(path_of(value, what))
            placed.append(Placed(flag, f"{name}=", path, False, what))
            continue
        arrays[name] = to_samples(value, by_name[name], time_first, usual_steps)
        # A name may hold what a file name cannot.
        file = os.path.join(folder, f"{flag.strip('-')}{len(arrays)}.npy")
        write(arrays[name], file)
        placed.append(Placed(flag, f"{name}=", file, True, what))
    return placed, arrays

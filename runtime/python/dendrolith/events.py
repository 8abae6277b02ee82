# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Events of cameras and cochleas as the arrays that networks take."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Tuple

import numpy as np

from .errors import DendrolithError

_NAMES = {
    "t": ("t", "ts", "time", "times", "timestamp", "timestamps"),
    "x": ("x", "unit", "units", "address", "addresses"),
    "y": ("y",),
    "p": ("p", "pol", "polarity"),
}


def _fields(events: Any) -> Mapping[str, np.ndarray]:
    """Return arrays t, x and perhaps y and p of what tools call events."""
    names: Sequence[str] = ()
    if isinstance(events, Mapping) or hasattr(events, "keys"):
        names = list(events.keys())
    elif getattr(getattr(events, "dtype", None), "names", None):
        names = events.dtype.names
    if names:
        found = {}
        for key, words in _NAMES.items():
            for word in words:
                if word in names:
                    found[key] = np.asarray(events[word])
                    break
    else:
        columns = [np.asarray(c) for c in events] if isinstance(events, tuple) else None
        if columns is None:
            table = np.asarray(events)
            if table.ndim != 2 or table.shape[1] not in (2, 3, 4):
                raise DendrolithError(
                    f"events: have shape {table.shape}, expected a row (t, x), "
                    "(t, x, p) or (t, x, y, p) for each, or an array with the fields "
                    "t, x, y, p"
                )
            columns = [table[:, c] for c in range(table.shape[1])]
        keys = {2: "tx", 3: "txp", 4: "txyp"}.get(len(columns))
        if keys is None:
            raise DendrolithError(
                f"events: have {len(columns)} columns, expected (t, x), (t, x, p) or "
                "(t, x, y, p)"
            )
        found = dict(zip(keys, columns))
    for key in "tx":
        if key not in found:
            raise DendrolithError(
                f"events: have no field '{key}', found {', '.join(names) or 'none'}"
            )
    return found


def events_to_frames(
    events: Any,
    shape: Sequence[int],
    steps: int,
    dt: Optional[float] = None,
    binary: bool = True,
) -> np.ndarray:
    """Bin the events of one sample into steps.

    `events` is an array with the fields t, x, y, p (as Tonic gives them), a dict
    or an HDF5 group with them (of a sample of SHD: `times` and `units`), rows
    (t, x, y, p), or a tuple of columns. `shape` is that of a step: (x,), (p, x),
    or (p, y, x). A step lasts `dt` in the unit of t; without it the last event
    falls into the last step. Returns uint8 (steps, *shape): 0 and 1, or with
    `binary` false the number of events, at most 255.
    """
    shape = tuple(int(extent) for extent in shape)
    if steps < 1 or not 1 <= len(shape) <= 3:
        raise DendrolithError(
            f"events: expected steps of 1 or more and a shape (x,), (p, x) or "
            f"(p, y, x), found {steps} and {shape}"
        )
    found = _fields(events)
    time = np.asarray(found["t"], dtype=np.float64)
    frames = np.zeros((steps,) + shape, dtype=np.int64)
    if time.size == 0:
        return frames.astype(np.uint8)
    if not np.isfinite(time).all() or time.min() < 0:
        raise DendrolithError("events: a time is negative or no number")
    width = dt if dt is not None else max(float(time.max()), 1e-300) / steps
    if not width > 0:
        raise DendrolithError(f"events: expected a dt above 0, found {dt}")
    step = np.floor(time / width).astype(np.int64)
    if dt is None:
        step = np.minimum(step, steps - 1)
    inside = step < steps
    order: Tuple[str, ...] = {1: ("x",), 2: ("p", "x"), 3: ("p", "y", "x")}[len(shape)]
    index = [step[inside]]
    for axis, key in enumerate(order):
        if key not in found:
            raise DendrolithError(f"events: have no field '{key}', which axis {axis} is")
        place = np.asarray(found[key]).astype(np.int64)
        if key == "p" and place.size and place.min() == -1:
            place = np.maximum(place, 0)  # -1 and 1 are 0 and 1
        if place.size and (place.min() < 0 or place.max() >= shape[axis]):
            raise DendrolithError(
                f"events: '{key}' goes from {place.min()} to {place.max()}, and the "
                f"shape has {shape[axis]} of them"
            )
        index.append(place[inside])
    np.add.at(frames, tuple(index), 1)
    return np.minimum(frames, 1 if binary else 255).astype(np.uint8)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Events of cameras and cochleas as the arrays that networks take."""

from __future__ import annotations

import operator
from typing import Any, Dict, Optional, Sequence, Tuple, Union

import numpy as np

from .arrays import as_array, to_numpy
from .errors import DendrolithError

_NAMES = {
    "t": ("t", "ts", "time", "times", "timestamp", "timestamps"),
    "x": ("x", "unit", "units", "address", "addresses"),
    "y": ("y",),
    "p": ("p", "pol", "polarity"),
}
_AXES: Dict[int, Tuple[str, ...]] = {1: ("x",), 2: ("p", "x"), 3: ("p", "y", "x")}
_COLUMNS = {2: "tx", 3: "txp", 4: "txyp"}


def _column(value: Any, key: str) -> np.ndarray:
    """A field of the events of one sample, as an array of numbers."""
    array = as_array(value, f"events: '{key}'")
    if array.dtype == object and array.size and isinstance(array.flat[0], np.ndarray):
        raise DendrolithError(
            f"events: '{key}' holds {len(array)} arrays, those of all samples; give the "
            "fields of one, as {'times': h['spikes/times'][i], 'units': "
            "h['spikes/units'][i]}",
            hint="give the fields of one sample",
        )
    array = to_numpy(array, f"events: '{key}'")
    if array.ndim != 1:
        raise DendrolithError(
            f"events: '{key}' has shape {array.shape}, expected a number for each event"
        )
    return array


def _named(events: Any, names: Sequence[str]) -> Dict[str, np.ndarray]:
    found = {}
    for key, words in _NAMES.items():
        word = next((word for word in words if word in names), None)
        if word is not None:
            found[key] = _column(events[word], key)
    for key in "tx":
        if key not in found:
            raise DendrolithError(
                f"events: have no field '{key}', found "
                f"{', '.join(str(name) for name in names) or 'none'}"
            )
    return found


def _columns(events: Any) -> Dict[str, np.ndarray]:
    """Fields by their place: rows of an array, or a tuple of columns."""
    if isinstance(events, tuple):
        columns = list(events)
    else:
        table = to_numpy(events, "events")
        if table.ndim != 2 or table.shape[1] not in _COLUMNS:
            raise DendrolithError(
                f"events: have shape {table.shape}, expected a row (t, x), "
                "(t, x, p) or (t, x, y, p) for each, or an array with the fields "
                "t, x, y, p"
            )
        columns = [table[:, c] for c in range(table.shape[1])]
    keys = _COLUMNS.get(len(columns))
    if keys is None:
        raise DendrolithError(
            f"events: have {len(columns)} columns, expected (t, x), (t, x, p) or "
            "(t, x, y, p)"
        )
    return {key: _column(column, key) for key, column in zip(keys, columns)}


def _fields(events: Any) -> Dict[str, np.ndarray]:
    """Return arrays t, x and perhaps y and p of what tools call events."""
    names = getattr(getattr(events, "dtype", None), "names", None)
    if names is None and callable(getattr(events, "keys", None)):
        names = list(events.keys())
    found = _named(events, names) if names else _columns(events)
    if len({array.size for array in found.values()}) > 1:
        counts = ", ".join(f"{a.size} of '{key}'" for key, a in found.items())
        raise DendrolithError(f"events: there are {counts}, expected as many of each")
    return found


def _whole(value: Any, what: str) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        number = 0
    if number < 1:
        raise DendrolithError(
            f"events: expected for {what} a whole number of 1 or more, found "
            f"{value!r:.40}"
        )
    return number


def _shape(shape: Any) -> Tuple[int, ...]:
    extents = [shape] if np.ndim(shape) == 0 else list(shape)
    if not 1 <= len(extents) <= 3:
        raise DendrolithError(
            "events: expected a shape (x,), (p, x) or (p, y, x), found "
            f"{tuple(extents)!r:.60}"
        )
    return tuple(_whole(extent, "shape") for extent in extents)


def _number(value: Any, what: str) -> Any:
    number = to_numpy(value, f"events: {what}")
    if number.ndim:
        raise DendrolithError(f"events: expected one number for {what}, found {value!r:.40}")
    return number[()]


def _steps(time: np.ndarray, steps: int, dt: Any, origin: Any) -> np.ndarray:
    """The step of each event; none may lie before the first or behind the last."""
    # Whole times are large where they count from 1970: they are subtracted exactly.
    is_whole = time.dtype.kind != "f"
    if is_whole:
        time = time.astype(np.uint64 if time.dtype.kind == "u" else np.int64)
    start = time.min() if origin is None else _number(origin, "origin")
    early = int((time < start).sum())
    if early:
        raise DendrolithError(
            f"events: {early} of {time.size} lie before origin {start}, the first at "
            f"{time.min()}; give a smaller origin, or leave them out",
            hint="give a smaller origin, or leave them out",
        )
    is_whole = is_whole and start == int(start)
    since = time - (time.dtype.type(start) if is_whole else np.float64(start))
    last = since.max()
    width = _number(dt, "dt") if dt is not None else max(float(last), 1e-300) / steps
    if not width > 0:
        raise DendrolithError(f"events: expected a dt above 0, found {dt}")
    if is_whole and isinstance(width, np.integer):
        step = since // since.dtype.type(width)
    else:
        step = since / width
        # 0.3 s begins step 3 of 0.1 s, although 0.3 / 0.1 < 3.
        eps = np.finfo(np.result_type(time, np.float32)).eps if dt is not None else 0
        near = np.round(step)
        with np.errstate(over="ignore", invalid="ignore"):  # steps of 1e-300
            off = np.minimum(4 * eps * (np.abs(time) / width + step), 0.01)
        step = np.where(np.abs(step - near) <= off, near, np.floor(step))
    if dt is None:
        step = np.minimum(step, steps - 1)  # the last event is in the last step
    late = int((step >= steps).sum())
    if late:
        raise DendrolithError(
            f"events: {late} of {time.size} lie behind the last step, the last one "
            f"{last} after {start} where {steps} steps of {width} end at "
            f"{steps * width}; give more steps or a larger dt, or leave them out",
            hint="give more steps or a larger dt, or leave them out",
        )
    return step.astype(np.int64)


def _polarity(place: np.ndarray, extent: int) -> np.ndarray:
    """-1 and 1 become 0 and 1; a single polarity needs no number."""
    values = np.unique(place)
    if extent == 1 and values.size == 1:
        return np.zeros_like(place)
    if values.size and values[0] == -1:
        if values.size > 2 or values[-1] not in (-1, 1):
            raise DendrolithError(
                f"events: 'p' holds {', '.join(str(v) for v in values[:5])}, expected "
                "0 and 1, or -1 and 1"
            )
        return np.asarray(np.maximum(place, 0))
    return place


def _places(found: Dict[str, np.ndarray], key: str, shape: Tuple[int, ...]) -> np.ndarray:
    """The index of each event along the axis of a field."""
    axis = _AXES[len(shape)].index(key)
    extent = shape[axis]
    if key not in found:
        if extent == 1:
            return np.zeros(found["t"].size, np.int64)
        raise DendrolithError(f"events: have no field '{key}', which axis {axis} is")
    array = found[key]
    parts = int((array != np.floor(array)).sum()) if array.dtype.kind == "f" else 0
    if parts:
        raise DendrolithError(
            f"events: {parts} of {array.size} values of '{key}' have a fraction, "
            "expected whole addresses; round them as the sensor's pixels lie",
            hint="round them as the sensor's pixels lie",
        )
    place = _polarity(array, extent) if key == "p" else array
    outside = int(((place < 0) | (place >= extent)).sum())
    if outside:
        raise DendrolithError(
            f"events: '{key}' goes from {place.min()} to {place.max()}, and the "
            f"shape has {extent} of them ({outside} of {place.size} events are "
            "outside); a shape is (p, y, x), in which Tonic's sensor_size is turned "
            "round"
        )
    return place.astype(np.int64)


def _zeros(shape: Tuple[int, ...], most: int) -> np.ndarray:
    """Zeros of the smallest type that holds `most`."""
    kind = np.min_scalar_type(most)
    size = int(np.prod([float(extent) for extent in shape]))
    try:
        if size * kind.itemsize > _MOST:
            raise MemoryError
        return np.zeros(shape, kind)
    except (MemoryError, ValueError) as error:
        raise DendrolithError(
            f"events: frames of shape {shape} would take {size * kind.itemsize} bytes; "
            "give fewer steps",
            hint="give fewer steps",
        ) from error


_MOST = 1 << 36  # bytes of frames; more is no sample


def events_to_frames(
    events: Any,
    shape: Union[int, Sequence[int]],
    steps: int,
    dt: Optional[float] = None,
    binary: bool = True,
    origin: Optional[float] = None,
) -> np.ndarray:
    """Bin the events of one sample into steps.

    `events` is an array with the fields t, x, y, p (as Tonic gives them), a dict
    or an HDF5 group with them (of a sample of SHD: `times` and `units`), rows
    (t, x, y, p), or a tuple of columns. `shape` is that of a step: (x,), (p, x),
    or (p, y, x); a single polarity need not be there. Step 0 begins at `origin`,
    else at the first event. A step lasts `dt` in the unit of t; without it the
    last event falls into the last step. An event before the first step or behind
    the last one is an error, which says how many there are. Returns
    (steps, *shape): 0 and 1 as uint8, or with `binary` false the number of
    events, as uint8 or, where one is above 255, as uint16 or wider.
    """
    extents, steps = _shape(shape), _whole(steps, "steps")
    found = _fields(events)
    time = found["t"]
    if time.size == 0:
        return _zeros((steps, *extents), 1)
    index = [_steps(time, steps, dt, origin)]
    index += [_places(found, key, extents) for key in _AXES[len(extents)]]
    full = (steps, *extents)
    _zeros(full, 1)  # too large a shape has no flat index
    cells, counts = np.unique(np.ravel_multi_index(index, full), return_counts=True)
    frames = _zeros(full, 1 if binary else int(counts.max()))
    frames.reshape(-1)[cells] = 1 if binary else counts
    return frames

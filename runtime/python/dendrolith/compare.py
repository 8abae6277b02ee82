# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far two runs of the same input agree."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Protocol, Union

import numpy as np

from .arrays import to_numpy
from .errors import DendrolithError, DendrolithWarning
from .html import table
from .parts import Traces
from .plots import draw_both


if TYPE_CHECKING:
    from .network import Network
    from .program import Program

_SAMPLES = 4  # of the calibration, that chip and network are compared on
_SPIKES, _SPREAD = 0.05, 0.1  # drift that is warned of


class Answers(Protocol):
    """What of a Result is compared."""

    outputs: Union[np.ndarray, Dict[str, np.ndarray], None]
    predicted: Optional[np.ndarray]
    traces: Traces

    @property
    def engine(self) -> str: ...


def _arrays(result: Answers) -> Dict[str, np.ndarray]:
    outputs = result.outputs
    if outputs is None:
        return {}
    arrays = outputs if isinstance(outputs, dict) else {"output": outputs}
    return {**arrays, **{name: result.traces[name] for name in result.traces}}


def _speaks(result: Answers, answers: np.ndarray) -> np.ndarray:
    """Which answers have an output other than 0: the others name no class."""
    first = next(iter(_arrays(result).values()), None)
    if first is None or first.shape[: answers.ndim] != answers.shape:
        return np.ones(answers.shape, dtype=bool)
    speaking = np.reshape(first != 0, (*answers.shape, -1))
    return np.asarray(np.any(speaking, axis=-1))


class Comparison:
    """Two results of the same input: `result`, and `other` beside it.

    `same_class` is the share of answers of the same class (0 to 1, None where
    answers are no classes; one that is all zero names none). `arrays` has for
    each output and trace that both have: `different`, the share of values that
    differ at all; `rms`, the root mean square of the difference in real units;
    `other_rms`, that of the other's values; and `largest`, the largest difference.
    """

    def __init__(self, result: Answers, other: Answers) -> None:
        self.result = result
        self.other = other
        self.same_class: Optional[float] = None
        if result.predicted is not None and other.predicted is not None:
            ours, theirs = np.asarray(result.predicted), np.asarray(other.predicted)
            same = (ours == theirs) & _speaks(result, ours) & _speaks(other, theirs)
            self.same_class = float(same.mean())
        self.arrays: Dict[str, Dict[str, float]] = {}
        beside = _arrays(other)
        for name, array in _arrays(result).items():
            reference = beside.get(name)
            if reference is None or reference.shape != array.shape or not array.size:
                continue
            difference = np.asarray(array, dtype=np.float64) - reference
            self.arrays[name] = {
                "different": float((difference != 0).mean()),
                "rms": float(np.sqrt((difference**2).mean())),
                "other_rms": float(np.sqrt((np.asarray(reference, float) ** 2).mean())),
                "largest": float(np.abs(difference).max()),
            }

    @property
    def is_equal(self) -> bool:
        """Whether every value of every array is the same."""
        return all(row["largest"] == 0 for row in self.arrays.values())

    def __str__(self) -> str:
        text = f"{self.result.engine} beside {self.other.engine} engine"
        if self.same_class is not None:
            text += f": same class in {100 * self.same_class:.2f} % of answers"
        for name, row in self.arrays.items():
            text += (
                f"\n  {name}: {100 * row['different']:.2f} % of values differ, rms of "
                f"the difference {row['rms']:.4g} (of the values {row['other_rms']:.4g})"
            )
        return text

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return table(self._rows(), str(self).splitlines()[0])

    def _rows(self) -> List[Dict[str, Any]]:
        return [dict(row, array=name) for name, row in self.arrays.items()]

    def to_frame(self) -> Any:
        """Return `arrays` as a pandas.DataFrame."""
        from .frames import frame

        return frame(self._rows())

    def plot(self, sample: int = 0, array: Optional[str] = None) -> Any:
        """Draw both over time in one sample; returns the axes of matplotlib.

        `array` is "output" or a trace, else the first output.
        """
        ours, theirs = _arrays(self.result), _arrays(self.other)
        name = array if array is not None else next(iter(self.arrays), "output")
        if name not in self.arrays:
            raise DendrolithError(
                f"no array '{name}' in both results, expected one of "
                f"{', '.join(self.arrays) or 'none'}"
            )
        title = (
            f"{name}, sample {sample}: {self.result.engine} and (dashed) "
            f"{self.other.engine}, rms {self.arrays[name]['rms']:.4g}"
        )
        return draw_both(title, name, ours[name], theirs[name], sample)


def first_output(result: Answers) -> np.ndarray:
    """Return the first output as real numbers."""
    outputs = result.outputs
    if isinstance(outputs, dict):
        outputs = next(iter(outputs.values()))
    return np.asarray(outputs, dtype=float)


def tell_drift(
    network: "Network", program: "Program", calibrate: Any, time_first: bool
) -> None:
    """Say how far the chip's integers are from the network on some samples, above a
    bound with a warning: stiff equations lose in integers what float has."""
    if calibrate is None or isinstance(calibrate, (str, os.PathLike, Mapping)):
        return
    samples = to_numpy(calibrate, "calibrate")
    if samples.ndim == 2 + len(next(iter(program.inputs.values()), ())):
        samples = samples[:, :_SAMPLES] if time_first else samples[:_SAMPLES]
    wanted = first_output(network.run(samples, time_first=time_first))
    found = first_output(program.run(samples, time_first=time_first))
    spikes = bool(np.isin(wanted, (0, 1)).all())
    off = found - wanted
    spread = float(wanted.std()) or 1.0
    drift = float((off != 0).mean() if spikes else np.sqrt((off**2).mean()) / spread)
    program._drift = drift
    if drift <= (_SPIKES if spikes else _SPREAD):
        return
    what = "of the spikes are others" if spikes else "of the spread is the rms error"
    warnings.warn(
        f"{network.name}: {drift:.1%} {what} of its output in the integers of "
        f"{program.target}, beside the float network on {len(wanted)} samples of the "
        f"calibration (above {_SPIKES if spikes else _SPREAD:.0%}); equations that are "
        "stiff or chaotic need smaller steps or states of like size, and weights of "
        'few bits more of them: result.compare("float") and traces show where',
        DendrolithWarning,
        stacklevel=4,
    )

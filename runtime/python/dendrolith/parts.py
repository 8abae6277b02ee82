# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The parts of a result. Energies are joules and times are seconds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Mapping, Optional

import numpy as np

from .errors import DendrolithError
from .words import Own, said, without_scratch

_PJ, _NS = 1e-12, 1e-9


def scaled(value: Optional[float], unit: str) -> str:
    """Write 1.4e-6 J as "1.4 uJ"; "-" for None."""
    if value is None:
        return "-"
    if value == 0:
        return f"0 {unit}"
    for factor, prefix in ((1, ""), (1e-3, "m"), (1e-6, "u"), (1e-9, "n")):
        if abs(value) >= factor:
            return f"{value / factor:.4g} {prefix}{unit}"
    return f"{value / 1e-12:.4g} p{unit}"


@dataclass(frozen=True)
class Warned:
    """Something that a user should know although nothing failed."""

    code: str
    where: str
    text: str

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        return f"{place}{self.text} [{self.code}]"


def warning_of(row: Mapping[str, str], own: Optional[Own] = None) -> Warned:
    """A warning of the command, in the words of Python."""
    return Warned(row["code"], without_scratch(row["where"]), said(row["text"], own))


@dataclass(frozen=True)
class Score:
    """An accuracy (0 to 1) or an R2, with an interval of 95 %."""

    metric: str
    value: float
    answers: int
    low: Optional[float]
    high: Optional[float]


@dataclass(frozen=True)
class Energy:
    """Joules of a sample.

    `low` and `high` are the ends of a band over cost tables, of events alone;
    `static_low` and `static_high` stand beside them. `bound` says how `low` and
    `high` stand to the truth: "=" exact, ">=" at least that much, because the
    prices are minima or because the events in `unpriced` have none. `by_event`
    has the share of each event at the low and the high end, `per_sample` an array
    (samples, 2) of both ends. Everything is None where no chip ran or nothing has
    a price.
    """

    low: Optional[float]
    high: Optional[float]
    bound: Optional[str]
    unpriced: List[str]
    static_low: Optional[float]
    static_high: Optional[float]
    by_event: Dict[str, "Band"] = field(default_factory=dict)
    per_sample: Optional[np.ndarray] = None

    def __str__(self) -> str:
        if self.low is None and self.high is None:
            return "not priced"
        sign = "" if self.bound in (None, "=") else f"{self.bound} "
        if self.low == self.high:
            return f"{sign}{scaled(self.low, 'J')} per sample in events"
        return (
            f"{sign}{scaled(self.low, 'J')} to {scaled(self.high, 'J')} per sample "
            "in events"
        )


@dataclass(frozen=True)
class Band:
    """Both ends of a band in joules per sample; None is not priced."""

    low: Optional[float]
    high: Optional[float]


@dataclass(frozen=True)
class Latency:
    """Seconds of a sample, over the samples of a run; None without a clock.

    All are of cores and mesh but `system`, which is the mean with what the
    system around them adds to every step. `per_sample` is an array (samples,).
    """

    mean: Optional[float]
    p50: Optional[float]
    p95: Optional[float]
    min: Optional[float]
    max: Optional[float]
    per_sample: Optional[np.ndarray]
    system: Optional[float] = None

    def __str__(self) -> str:
        if self.mean is None:
            return "not simulated"
        return (
            f"{scaled(self.mean, 's')} per sample (p95 {scaled(self.p95, 's')}, "
            f"longest {scaled(self.max, 's')})"
            + ("" if self.system in (None, self.mean) else f"; {scaled(self.system, 's')} on its system")
        )


@dataclass(frozen=True)
class Layer:
    """A population, an input, or what the chip does for no layer.

    `rate` is the share of neuron updates that emitted something, None where that
    was not counted; `counts` are of the whole run, `energy` is of a sample.
    """

    name: str
    kind: str
    neurons: int
    synapses: int
    rate: Optional[float]
    counts: Dict[str, Any]
    energy: Band


class Traces(Mapping[str, np.ndarray]):
    """Recorded arrays by request, (samples, steps, neurons), in the units of the
    model's file; `raw` has the integers of the chip and `units` how many of them
    make 1."""

    def __init__(
        self, raw: Mapping[str, np.ndarray], units: Mapping[str, float]
    ) -> None:
        self.raw = dict(raw)
        self.units = dict(units)

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.raw:
            have = ", ".join(self.raw) or "none"
            raise DendrolithError(
                f"no trace '{name}', recorded are: {have}; run with trace=['{name}']",
                hint=f"run with trace=['{name}']",
            )
        unit = self.units.get(name, 1.0)
        return self.raw[name] if unit == 1 else self.raw[name] / unit

    def __iter__(self) -> Iterator[str]:
        return iter(self.raw)

    def __len__(self) -> int:
        return len(self.raw)


def _scale(value: Any, factor: float) -> Optional[float]:
    return None if value is None else float(value) * factor


def energy_of(data: Mapping[str, Any], tables: Mapping[str, Any]) -> Energy:
    """Read the energy of a sample from result.json and tables.json."""
    summary, samples = data["summary"], int(data["samples"])
    events = summary["energy_per_sample_pJ"] or {}
    static = summary["static_per_sample_pJ"] or {}
    by_event = {}
    bills = data["energy"]
    if bills:
        high = bills["high"]["by_event"]
        for name, row in bills["low"]["by_event"].items():
            ends = (row["energy_pJ"], high.get(name, {}).get("energy_pJ"))
            if any(end is not None for end in ends):
                by_event[name] = Band(*(_scale(end, _PJ / samples) for end in ends))
    each = (tables.get("samples") or {}).get("energy_pJ") or {}
    both = [each.get("low"), each.get("high")]
    per_sample = None
    if all(end is not None and None not in end for end in both):
        per_sample = np.asarray(both, dtype=np.float64).T * _PJ
    return Energy(
        _scale(events.get("low"), _PJ),
        _scale(events.get("high"), _PJ),
        events.get("bound"),
        list(events.get("unpriced") or []),
        _scale(static.get("low"), _PJ),
        _scale(static.get("high"), _PJ),
        by_event,
        per_sample,
    )


def latency_of(data: Mapping[str, Any], tables: Mapping[str, Any]) -> Latency:
    """Read the latency of a sample from result.json and tables.json."""
    spread = data["summary"]["latency_per_sample_ns"] or {}
    each = (tables.get("samples") or {}).get("latency_ns")
    return Latency(
        _scale(spread.get("mean"), _NS),
        _scale(spread.get("p50"), _NS),
        _scale(spread.get("p95"), _NS),
        _scale(spread.get("min"), _NS),
        _scale(spread.get("max"), _NS),
        None if each is None else np.asarray(each, dtype=np.float64) * _NS,
        _scale((data["summary"].get("system_latency_per_sample_ns") or {}).get("mean"), _NS),
    )


def _rate(values: Optional[Mapping[str, int]]) -> Optional[float]:
    total = sum(values.values()) if values else 0
    if not values or not total:
        return None
    return 1 - values.get("0", 0) / total


def layers_of(data: Mapping[str, Any]) -> Dict[str, Layer]:
    """Read the layers of result.json, by name."""
    samples, rates = int(data["samples"]), data["spike_values"] or {}
    layers = {}
    for row in data["layers"] or []:
        name, energy = row["population"] or row["kind"], row["energy_pJ"] or {}
        layers[name] = Layer(
            name,
            row["kind"],
            int(row["neurons"]),
            sum(int(source["synapses"]) for source in row["sources"]),
            _rate(rates.get(name)),
            row["counts"] or {},
            Band(
                _scale(energy.get("low"), _PJ / samples),
                _scale(energy.get("high"), _PJ / samples),
            ),
        )
    return layers

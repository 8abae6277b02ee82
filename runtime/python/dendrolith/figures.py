# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figures for a paper: one column wide, each as SVG and PDF with its numbers as CSV."""

from __future__ import annotations

import csv
import os
from typing import Any, Callable, Dict, Iterator, List, Mapping, Tuple, Union

import numpy as np

from .errors import DendrolithError
from .plots import PALETTE, _axes
from .result import Result
from .texts import path_of

#: Inches of a column of two, and what tells lines and bars apart in grey.
WIDTH = 3.4
#: A part below this share of the largest is in the table alone.
_SHOWN = 0.01
_LINES = ("-", "--", ":", "-.")
_MARKS, _HATCHES = "os^Dvx", ("", "//", "..", "xx", "--", "\\\\")
_STYLE: Dict[Any, Any] = {
    "font.size": 7,
    "axes.linewidth": 0.6,
    "hatch.linewidth": 0.5,
    "pdf.fonttype": 42,  # text stays text
    "svg.hashsalt": "dendrolith",  # equal numbers give equal files
}
_BARE = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
Table = Tuple[List[str], List[List[Any]]]
Results = Mapping[str, Result]


def _plain(name: str) -> str:
    """A name that is no mathematics to matplotlib."""
    return name.replace("$", "\\$")


def _legend(ax: Any, rows: List[List[Any]]) -> None:
    """Above the picture, where it hides nothing."""
    if len({row[0] for row in rows}) > 1:
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=2, frameon=False)


def _grow(ax: Any, lines: int) -> None:
    """As high as so many lines of text take."""
    ax.figure.set_figheight(max(0.5 * WIDTH, 0.9 + 0.14 * lines))


def _look(number: int) -> Dict[str, Any]:
    return {"facecolor": PALETTE[number % len(PALETTE)], "edgecolor": "black",
            "hatch": _HATCHES[number % len(_HATCHES)], "linewidth": 0.4}


def _accuracy(results: Results, ax: Any) -> Table:
    """Energy of an inference over the score, with both intervals."""
    rows = []
    for number, (name, result) in enumerate(results.items()):
        score, energy = result.score, result.energy
        if score is None or energy.low is None or energy.high is None:
            continue
        low = score.value if score.low is None else score.low
        high = score.value if score.high is None else score.high
        middle = (energy.low * energy.high) ** 0.5
        ax.errorbar(score.value, 1e6 * middle,
                    xerr=[[score.value - low], [high - score.value]],
                    yerr=[[1e6 * (middle - energy.low)], [1e6 * (energy.high - middle)]],
                    fmt=_MARKS[number % len(_MARKS)], markersize=3, linewidth=0.8,
                    color=PALETTE[number % len(PALETTE)], label=_plain(name))
        rows.append([name, score.metric, score.value, low, high, energy.low, energy.high])
    ax.set(xlabel="score, with its interval", ylabel="uJ of an inference, both ends",
           yscale="log")
    for kind in (ax.yaxis.set_major_formatter, ax.yaxis.set_minor_formatter):
        kind(lambda value, _: f"{value:g}" if f"{value:e}"[0] in "125" else "")
    _legend(ax, rows)
    return ["result", "metric", "score", "score_low", "score_high", "energy_low_J",
            "energy_high_J"], rows


def _bars(results: Results, ax: Any, parts: Callable[[Result], Iterator[Tuple[str, Any]]],
          unit: str) -> Table:
    """A bar to the low end for each part, and a line to the high end."""
    bands = {name: {part: band for part, band in parts(result) if band.high}
             for name, result in results.items()}
    most = max((band.high for found in bands.values() for band in found.values()), default=0)
    labels = list(dict.fromkeys(part for found in bands.values() for part, band in found.items()
                                if band.high > _SHOWN * most))
    height = 0.8 / max(len(bands), 1)
    rows = []
    for number, (name, found) in enumerate(bands.items()):
        at = np.arange(len(labels)) + (number - (len(bands) - 1) / 2) * height
        low = np.array([1e9 * (found[p].low or 0) if p in found else 0 for p in labels])
        high = np.array([1e9 * found[p].high if p in found else 0 for p in labels])
        ax.barh(at, low, height=0.9 * height, label=_plain(name), **_look(number))
        ax.hlines(at, low, high, color="black", linewidth=0.8)
        rows += [[name, part, band.low, band.high] for part, band in found.items()]
    ax.set_yticks(np.arange(len(labels)), [_plain(label) for label in labels])
    ax.invert_yaxis()
    _grow(ax, len(labels) * (1 + len(bands)) // 2)
    ax.set(xlabel="nJ of an inference: bar to low, line to high end")
    _legend(ax, rows)
    return ["result", unit, "energy_low_J", "energy_high_J"], rows


def _layers(results: Results, ax: Any) -> Table:
    return _bars(results, ax, lambda result: (
        (layer.name, layer.energy) for layer in result.layers.values()), "layer")


def _causes(results: Results, ax: Any) -> Table:
    return _bars(results, ax, lambda result: iter(result.energy.by_event.items()), "event")


def _conventions(results: Results, ax: Any) -> Table:
    """One inference by each published convention, and the chip's events."""
    rows: List[List[Any]] = []
    labels: List[str] = []
    for number, (name, result) in enumerate(results.items()):
        found = [(row["name"], 1e-12 * row["per_sample_pJ"], row["break_even"])
                 for row in result.conventions() if row["per_sample_pJ"]]
        labels = list(dict.fromkeys(labels + [label for label, _, _ in found]))
        shift = 0.2 * (number - (len(results) - 1) / 2)
        ax.plot([1e9 * value for _, value, _ in found],
                [labels.index(label) + shift for label, _, _ in found],
                _MARKS[number % len(_MARKS)], markersize=3, label=_plain(name),
                color=PALETTE[number % len(PALETTE)])
        if result.energy.low is not None and result.energy.high is not None:
            ax.axvspan(0.98e9 * result.energy.low, 1.02e9 * result.energy.high, alpha=0.2,
                       color=PALETTE[number % len(PALETTE)])
        for label, value, even in found:
            activity = (even or {}).get("activity") or {}
            rows.append([name, label, value, activity.get("low"), activity.get("high")])
        rows.append([name, "chip, events, low end", result.energy.low, None, None])
        rows.append([name, "chip, events, high end", result.energy.high, None, None])
    ax.set_yticks(range(len(labels)), labels)
    ax.invert_yaxis()
    _grow(ax, len(labels))
    ax.set(xscale="log", xlabel="nJ of an inference; shaded: chip's events")
    _legend(ax, rows)
    return ["result", "convention", "energy_J", "equal_at_activity_low",
            "equal_at_activity_high"], rows


def _break_even(results: Results, ax: Any) -> Table:
    """The chip's events over activity, and the same layers as a conventional network:
    lines that meet cost as much. Activity is in parts of the run's."""
    rows: List[List[Any]] = []
    activity = np.logspace(-2, 2, 41)
    for number, (name, result) in enumerate(results.items()):
        twins = [row for row in result.conventions() if row["break_even"]]
        if not twins:
            continue
        colour, even = PALETTE[number % len(PALETTE)], twins[0]["break_even"]
        low, high = (1e-12 * (even["quiet_pJ"][end] + activity * even["firing_pJ"][end])
                     for end in ("low", "high"))
        ax.plot(activity, 1e9 * low, color=colour, linewidth=1, linestyle=_LINES[number % 4],
                label=_plain(f"{name}, chip"))
        ax.fill_between(activity, 1e9 * low, 1e9 * high, color=colour, alpha=0.25, linewidth=0)
        rows += [[name, "chip", *row] for row in zip(activity, low, high)]
        for line, twin in enumerate(twins):
            energy = 1e-12 * twin["per_sample_pJ"]
            ax.axhline(1e9 * energy, color=colour, linewidth=0.8,
                       linestyle=(line, (1 + 2 * line, 1.5)))
            ax.annotate(twin["name"].replace("-45nm", ""), (activity[0], 1e9 * energy),
                        (2, 1.5), textcoords="offset points", fontsize=6)
            rows += [[name, twin["name"], end, energy, energy] for end in (activity[0], activity[-1])]
    ax.set(xscale="log", yscale="log", xlabel="activity, in parts of this run's",
           ylabel="nJ of an inference")
    _legend(ax, rows)
    return ["result", "line", "activity", "energy_low_J", "energy_high_J"], rows


def _activity(results: Results, ax: Any) -> Table:
    """Spikes of a traced layer in each step, a mean over samples."""
    rows, line = [], 0
    for name, result in results.items():
        for layer in result.traces:
            if ":" in layer:
                continue
            spikes = np.asarray(result.traces[layer])
            spikes = spikes if spikes.ndim > 2 else spikes[None]
            mean = np.abs(spikes).reshape(*spikes.shape[:2], -1).sum(2).mean(0)
            ax.plot(mean, label=_plain(f"{name}, {layer}"), linewidth=0.8,
                    linestyle=_LINES[line % 4],
                    color=PALETTE[line % len(PALETTE)])
            rows += [[name, layer, step, value] for step, value in enumerate(mean)]
            line += 1
    ax.set(xlabel="step", ylabel="spikes of a layer in a step")
    if rows:
        ax.legend(frameon=False)
    return ["result", "layer", "step", "spikes"], rows


_FIGURES = {"energy_over_score": _accuracy, "energy_by_layer": _layers,
            "energy_by_event": _causes, "conventions": _conventions, "break_even": _break_even,
            "activity": _activity}


def figures(results: Union[Result, Results], folder: "os.PathLike[str] | str") -> List[str]:
    """Draw the figures of a paper and return the names of the files.

    `results` is a Result, or several by name. Each figure is one column wide (3.4
    inches), as SVG and PDF, with its numbers in SI units as CSV. A figure whose
    numbers a result has not (no labels, no prices, no traced layer) is left out.
    """
    if isinstance(results, Result):
        results = {results.data["summary"]["model"]: results}
    if not results:
        raise DendrolithError("figures: expected a result, found none")
    folder = path_of(folder, "figures")
    os.makedirs(folder, exist_ok=True)
    _axes(None).figure.clear()  # says how to get matplotlib where it is missing
    import matplotlib  # type: ignore[import]
    from matplotlib.figure import Figure  # type: ignore[import]

    written = []
    for name, draw in _FIGURES.items():
        with matplotlib.rc_context(_STYLE):
            figure = Figure(figsize=(WIDTH, 0.7 * WIDTH), layout="constrained")
            head, rows = draw(results, figure.add_subplot())
            if not rows:
                continue
            for kind, bare in _BARE.items():
                figure.savefig(os.path.join(folder, f"{name}.{kind}"), metadata=bare)
        with open(os.path.join(folder, f"{name}.csv"), "w", newline="") as file:
            csv.writer(file).writerows([head, *rows])
        written += [f"{name}.{kind}" for kind in ("svg", "pdf", "csv")]
    return written

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a run gave, as Python objects over result.json of schema 2."""

from __future__ import annotations

import json
import os
import tempfile
import zipfile
import zlib
from functools import cached_property
from typing import Any, Callable, Dict, List, Mapping, Optional, Union

import numpy as np

from .binary import ran
from .compare import Comparison
from .errors import DendrolithError
from .given import digest_of
from .html import table
from .parts import (
    Energy,
    Latency,
    Layer,
    Score,
    Traces,
    Warned,
    energy_of,
    latency_of,
    warning_of,
    layers_of,
    scaled,
)
from .plots import Plot
from .texts import path_of, written

SCHEMA = 2
_FILES = (
    "outputs.npy",
    "outputs.npz",
    "predicted.npy",
    "traces.npz",
    "spikes.npz",
    "tables.json",
)
_SMALL = 1 << 20  # bytes; larger arrays stay in their file until they are read


def _load_array(path: str) -> np.ndarray:
    """Load an array; a large one is mapped, and its file may go all the same."""
    large = os.path.getsize(path) > _SMALL
    array: np.ndarray = np.load(
        path, mmap_mode="r" if large else None, allow_pickle=False
    )
    if not isinstance(array, np.ndarray):
        raise ValueError("expected one array")
    return _kept(array)


def _kept(array: np.ndarray) -> np.ndarray:
    """The array as the run wrote it: compare() and report() read it later."""
    array.flags.writeable = False
    return array


def _load_arrays(path: str) -> Dict[str, np.ndarray]:
    with np.load(path, allow_pickle=False) as archive:
        return {name: _kept(archive[name]) for name in archive.files}


def _load_text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


#: What reading a damaged file raises, here and in numpy, json and zipfile.
_DAMAGE = (
    AttributeError,
    EOFError,
    LookupError,
    OSError,
    RecursionError,
    SyntaxError,
    TypeError,
    ValueError,
    zipfile.BadZipFile,
    zlib.error,
)


def _told(error: BaseException) -> str:
    if isinstance(error, LookupError):
        return f"it has no {error}"
    return f"{error}" or type(error).__name__


def _read(folder: str, name: str, load: Callable[[str], Any]) -> Any:
    """What a file of a result holds, None where there is none."""
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return None
    try:
        return load(path)
    except _DAMAGE as error:
        raise DendrolithError(
            f"{path}: is damaged: {_told(error)}; run the network again",
            file=path,
            hint="run the network again",
        ) from error


def _read_json(folder: str) -> Dict[str, Any]:
    path = os.path.join(folder, "result.json")
    text = _read(folder, "result.json", _load_text)
    if text is None:
        raise DendrolithError(
            f"{folder}: has no result.json; run with out='{folder}' first", file=path
        )
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DendrolithError(
            f"{path}: is no JSON: {_told(error)}", file=path
        ) from error
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        found = data.get("schema") if isinstance(data, dict) else "no object"
        raise DendrolithError(
            f"{path}: has schema {found}, expected {SCHEMA}; "
            "run the network again with this version",
            file=path,
        )
    return data


def _hold_digests(folder: str, hashes: Mapping[str, Optional[str]]) -> None:
    """Raise DendrolithError where a file is not the one of which the result says
    the SHA-256."""
    for name in _FILES:
        path = os.path.join(folder, name)
        if os.path.exists(path) and digest_of(path) != hashes[
            name.partition(".")[0] + "_sha256"
        ]:
            raise DendrolithError(
                f"{path}: is not the file that the run wrote, whose SHA-256 is in "
                "result.json; run the network again",
                file=path,
                hint="run the network again",
            )


class Result:
    """A run: its answers, what they cost, and how to look at both.

    `data` is result.json as a dict and `tables` is tables.json. `outputs` is an
    array (samples, steps, *shape), without the first axis where the input had
    none, or a dict of them where the network has several outputs; spikes are
    integers and read-outs real units. Arrays are read-only. `predicted` has the class of each sample
    (or (samples, steps)), None where answers are no classes. `traces` maps
    "lif1" (spikes) or "lif1:v" (a state) to (samples, steps, neurons) in real
    units.
    """

    def __init__(self, folder: Union[str, "os.PathLike[str]"]) -> None:
        folder = path_of(folder, "result")
        self.data: Dict[str, Any] = _read_json(folder)
        # A string takes a tenth of what it becomes, and few ask for it.
        self._tables = _read(folder, "tables.json", _load_text) or "{}"
        self.outputs: Union[np.ndarray, Dict[str, np.ndarray], None] = _read(
            folder, "outputs.npy", _load_array
        )
        if self.outputs is None:
            self.outputs = _read(folder, "outputs.npz", _load_arrays)
        self.predicted: Optional[np.ndarray] = _read(
            folder, "predicted.npy", _load_array
        )
        self.traces = Traces(
            _read(folder, "traces.npz", _load_arrays) or {},
            self.data.get("trace_units_per_real") or {},
        )
        # Run the same input on another engine, or once more for its page or capsule.
        self._again: Optional[Callable[[str], "Result"]] = None
        self._page: Optional[Callable[[str], None]] = None
        self._capsule: Optional[Callable[[str], None]] = None

    @classmethod
    def load(cls, folder: Union[str, "os.PathLike[str]"]) -> "Result":
        """Read the folder of `dendrolith run --out` or of `Program.run(out=)`.

        Raises DendrolithError where a file of it is damaged, or is not the one
        that the run wrote.
        """
        result = cls(folder)
        where = path_of(folder, "result")
        file = os.path.join(where, "result.json")
        try:
            _hold_digests(where, result.data["hashes"])
            str(result), result.summary(), result.layers, result.counts
            result.confusion, result.neurobench, result.__dict__.pop("tables", None)
        except _DAMAGE as error:
            raise DendrolithError(
                f"{file}: is no result that `dendrolith run` wrote: "
                f"{_told(error)}; run the network again",
                file=file,
                hint="run the network again",
            ) from error
        return result

    @cached_property
    def tables(self) -> Dict[str, Any]:
        """What is long: by sample, step, core and link (tables.json)."""
        return dict(json.loads(self._tables))

    @property
    def score(self) -> Optional[Score]:
        """The accuracy or R2 with its interval; None without labels."""
        row = self.data["score"]
        if row is None:
            return None
        return Score(row["metric"], row["value"], row["answers"], row["low"], row["high"])

    @property
    def accuracy(self) -> Optional[float]:
        """The share of right answers, 0 to 1; None without labels of classes."""
        score = self.score
        return score.value if score and score.metric == "accuracy" else None

    @property
    def confusion(self) -> Optional[np.ndarray]:
        """How often each class (column) was answered to each label (row), as
        (classes, classes); None without labels of classes."""
        row = self.data["confusion"]
        return None if row is None else np.asarray(row["counts"])

    @cached_property
    def energy(self) -> Energy:
        """Joules of a sample."""
        return energy_of(self.data, self.tables)

    @cached_property
    def latency(self) -> Latency:
        """Seconds of a sample."""
        return latency_of(self.data, self.tables)

    @cached_property
    def layers(self) -> Dict[str, Layer]:
        """Populations, inputs and the rest of the chip, by name."""
        return layers_of(self.data)

    @property
    def counts(self) -> Dict[str, Any]:
        """Events of the whole run by name (simulator/COUNTERS.md); empty where no
        chip ran."""
        return dict((self.data["counts"] or {}).get("total") or {})

    @property
    def neurobench(self) -> Optional[Dict[str, Any]]:
        """NeuroBench's metrics under their names, of the network that ran."""
        row = self.data["neurobench"]
        return None if row is None else dict(row["integer"] or row["float"])

    @property
    def warnings(self) -> List[Warned]:
        """What may be wrong although the run came to its end."""
        return [warning_of(row) for row in self.data["warnings"]]

    @property
    def engine(self) -> str:
        """The engine that ran: "functional", "cycle", "float" or "reference"."""
        return str(self.data["engine"])

    @property
    def target(self) -> Optional[str]:
        """The name of the chip; None of the float network."""
        target = self.data["target"]
        return str(target["name"]) if target else None

    @property
    def samples(self) -> int:
        """How many samples there were."""
        return int(self.data["samples"])

    @property
    def cores(self) -> Optional[int]:
        """How many cores the network took; None of the float network."""
        return self.data["summary"]["cores"]  # type: ignore[no-any-return]

    def summary(self) -> Dict[str, Any]:
        """Return what people quote as a flat dict; energies in J, times in s."""
        score, energy, latency = self.score, self.energy, self.latency
        return {
            "model": self.data["summary"]["model"],
            "target": self.target,
            "engine": self.engine,
            "samples": self.samples,
            "cores": self.cores,
            "metric": score.metric if score else None,
            "score": score.value if score else None,
            "score_low": score.low if score else None,
            "score_high": score.high if score else None,
            "energy_low_J": energy.low,
            "energy_high_J": energy.high,
            "energy_bound": energy.bound,
            "static_low_J": energy.static_low,
            "static_high_J": energy.static_high,
            "latency_mean_s": latency.mean,
            "latency_p95_s": latency.p95,
            "warnings": len(self.warnings),
        }

    def to_frame(self) -> Any:
        """Return the layers as a pandas.DataFrame."""
        from .frames import frame

        return frame(
            [
                {
                    "layer": layer.name,
                    "kind": layer.kind,
                    "neurons": layer.neurons,
                    "synapses": layer.synapses,
                    "rate": layer.rate,
                    "energy_low_J": layer.energy.low,
                    "energy_high_J": layer.energy.high,
                }
                for layer in self.layers.values()
            ]
        )

    def compare(self, engine: str = "float") -> Comparison:
        """Run the same input on another engine and say how far both agree.

        `engine` is "float", the network as it was trained, or "reference", which
        has to be equal to the chip in every bit.
        """
        if not isinstance(engine, str):
            raise DendrolithError(
                "compare: expected an engine, 'float' or 'reference', found a "
                f"{type(engine).__name__}; compare arrays with outputs by numpy"
            )
        if self._again is None:
            raise DendrolithError(
                "this result was read from a folder or by pickle, which does not hold the "
                "input; compare the result of Program.run"
            )
        return Comparison(self, self._again(engine))

    def __getstate__(self) -> Dict[str, Any]:
        """Another process has the answers, and no program to run again."""
        return {**self.__dict__, "_again": None, "_page": None, "_capsule": None}

    def report(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Write the report as one HTML file, as `dendrolith run --html` does; it
        needs no network and no matplotlib. The input is run once more."""
        if self._page is None:
            raise DendrolithError(
                "this result was read from a folder or by pickle; write the page with the command: "
                "dendrolith report FOLDER --html R.html"
            )
        self._page(written(path, "report"))

    def capsule(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Write one archive of network, inputs, chip, options and results, NAME.zip,
        which `dendrolith verify` runs again, to the byte. The input is run once more
        to see that the archive is complete."""
        if self._capsule is None:
            raise DendrolithError(
                "this result was read from a folder; pack a folder of `dendrolith run "
                "--out` with the command: dendrolith capsule FOLDER -o NAME.zip"
            )
        self._capsule(written(path, "capsule"))

    def conventions(self) -> List[Dict[str, Any]]:
        """Price one sample by each published convention, a row each.

        A row has `name`, `per_sample_pJ` (None with a `reason`), `chip_over` (the
        energy of the chip's events over it, {low, high}), `break_even`, `terms`,
        `leaves_out` and `sources`, as `dendrolith report --conventions --format json` prints it.
        """
        told = self._reported("--conventions", "--format", "json")
        rows: List[Dict[str, Any]] = json.loads(told)["conventions"]
        return rows

    def methods(self) -> str:
        """Return the energy section of a paper: a paragraph, a table for LaTeX and
        the sources as BibTeX, as `dendrolith report --methods` prints it."""
        return self._reported("--methods")

    def _reported(self, *flags: str) -> str:
        """What `dendrolith report` prints of this result."""
        with tempfile.TemporaryDirectory(prefix="dendrolith-") as folder:
            for name, text in (
                ("result.json", json.dumps(self.data)),
                ("tables.json", self._tables),
            ):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            return ran("report", folder, *flags)

    @property
    def plot(self) -> Plot:
        """Pictures: plot.raster("lif1"), plot.energy(), ...; needs matplotlib."""
        return Plot(self)

    def __str__(self) -> str:
        on = f" on {self.target}, {self.cores} core(s)" if self.target else ""
        lines = [
            f"{self.data['summary']['model']}{on}, {self.engine} engine: "
            f"{self.samples} sample(s)"
        ]
        if self.score:
            percent = self.score.metric == "accuracy"
            value = f"{100 * self.score.value:.2f} %" if percent else self.score.value
            lines.append(f"{self.score.metric}: {value} of {self.score.answers}")
        if self.target:
            lines.append(f"energy: {self.energy}")
            if self.energy.static_low is not None:
                lines[-1] += (
                    f", {scaled(self.energy.static_low, 'J')} to "
                    f"{scaled(self.energy.static_high, 'J')} static beside it"
                )
            lines.append(f"latency: {self.latency}")
        lines += [f"warning: {warning}" for warning in self.warnings]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<dendrolith.Result {str(self).splitlines()[0]}>"

    def _repr_html_(self) -> str:
        rows: List[Mapping[str, Any]] = [
            {
                "layer": layer.name,
                "neurons": layer.neurons,
                "synapses": layer.synapses,
                "rate": "" if layer.rate is None else f"{100 * layer.rate:.2f} %",
                "energy per sample": scaled(layer.energy.low, "J"),
            }
            for layer in self.layers.values()
        ]
        return table(rows, str(self))

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many designs: a study, or networks on chips with choices of the compiler."""

from __future__ import annotations

import csv
import itertools
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Union

from .arrays import ArrayLike, Inputs
from .errors import DendrolithError, Unfit, Unsupported
from .html import table
from .network import Source, compile, load
from .study import Path, Study, measured

_RUN = ("timing", "costs", "engine")  # flags of a run, not of the compiler


class Designs:
    """A row for each design: what was chosen, then what came of it, as
    Result.summary() has it. `status` is "ok", "unfit", "unsupported" or "error",
    and `reason` says why a design has no numbers. Rows come in the order in which
    the choices were given, whatever the number of jobs."""

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self.rows: List[Dict[str, Any]] = [dict(row) for row in rows]

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def table(self) -> List[Dict[str, Any]]:
        """Return the rows, all with the same keys."""
        keys: Dict[str, None] = {}
        for row in self.rows:
            keys.update(dict.fromkeys(row))
        return [{key: row.get(key) for key in keys} for row in self.rows]

    def to_csv(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Write the rows with a line of names; what is not known stays empty."""
        rows = self.table()
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]) if rows else [])
            writer.writeheader()
            writer.writerows(rows)

    def to_frame(self) -> Any:
        """Return the rows as a pandas.DataFrame."""
        from .frames import frame

        return frame(self.table())

    def __repr__(self) -> str:
        good = sum(row["status"] == "ok" for row in self.rows)
        return f"<dendrolith.Designs: {len(self)}, {good} with numbers>"

    def _repr_html_(self) -> str:
        return table(self.table(), repr(self)[1:-1])


def _point(
    model: Source,
    chosen: Mapping[str, Any],
    x: Optional[Inputs],
    labels: Optional[ArrayLike],
    calibrate: Optional[Inputs],
    time_first: bool,
) -> Dict[str, Any]:
    row: Dict[str, Any] = dict(chosen)
    options = {key: value for key, value in chosen.items() if key != "model"}
    target = options.pop("target")
    run = {key: options.pop(key) for key in _RUN if key in options}
    try:
        program = compile(model, target, calibrate, time_first, **options)
        row["cores"] = (program.facts.get("mapping") or {}).get("cores")
        if x is not None:
            result = program.run(x, labels, time_first=time_first, **run)
            found = result.summary()
            for key in ("model", "target"):
                del found[key]
            row.update(found)
        row.update(status="ok", reason="")
    except DendrolithError as error:
        status = {Unfit: "unfit", Unsupported: "unsupported"}.get(type(error), "error")
        row.update(status=status, reason=error.message)
    return row


def _networks(models: Any) -> Dict[str, Any]:
    """Load the models by their names."""
    if isinstance(models, Mapping) and not all(
        hasattr(v, "dtype") for v in models.values()
    ):
        return {str(name): load(model) for name, model in models.items()}
    named: Dict[str, Any] = {}
    for model in models if isinstance(models, (list, tuple)) else [models]:
        network = load(model)
        if network.name in named:
            raise DendrolithError(
                f"explore: two models are named '{network.name}'; give a dict with "
                "a name for each"
            )
        named[network.name] = network
    return named


def _is_study(what: Any) -> bool:
    if not isinstance(what, (str, os.PathLike)):
        return False
    path = os.fspath(what)
    return os.path.isdir(path) or path.endswith((".yaml", ".yml"))


def _watched(rows: Iterable[Any], total: int) -> Iterable[Any]:
    """Return the rows, under a bar where tqdm is installed and somebody looks."""
    if not ("ipykernel" in sys.modules or sys.stderr.isatty()):
        return rows
    try:
        from tqdm.auto import tqdm  # type: ignore[import]
    except ImportError:
        return rows
    bar: Iterable[Any] = tqdm(rows, total=total, unit="design")
    return bar


def _list(values: Any) -> Sequence[Any]:
    return values if isinstance(values, (list, tuple)) else [values]


def explore(
    what: Any,
    out: Optional[Path] = None,
    jobs: int = 1,
    x: Optional[Inputs] = None,
    labels: Optional[ArrayLike] = None,
    targets: Any = "ideal",
    calibrate: Optional[Inputs] = None,
    engine: Any = "cycle",
    time_first: bool = False,
    **choices: Any,
) -> Union[Study, Designs]:
    """Measure many designs, `jobs` at a time, and return them.

    Of a study, `what` is its file (.yaml) with `out`, the folder that keeps the
    designs, or a folder that was begun, whose missing designs are measured. What
    was measured before is not measured again. The answer is a Study.

    Without a study, `what` is one of what `load` takes, a list of them, or a dict
    with a name for each. Each is compiled and run on each chip with each choice.
    `choices` are keywords of `compile`, or `timing` and `costs` of a run; a list
    has several values of one: weight_bits=[8, 4], map_for="energy". Without `x`
    networks are only compiled. The answer is Designs; one that fails is a row
    with its reason.
    """
    if jobs < 1:
        raise DendrolithError(f"explore: expected 1 job or more, found {jobs}")
    if _is_study(what):
        if choices or x is not None:
            raise DendrolithError("explore: a study says itself what it varies")
        return measured(what, out, jobs)
    if out is not None:
        raise DendrolithError("explore: out= is for a study's file")
    named = _networks(what)
    axes: Dict[str, Sequence[Any]] = {
        "model": list(named),
        "target": _list(targets),
        "engine": _list(engine),
    }
    for key, value in choices.items():
        axes[key] = _list(value)
    points = [dict(zip(axes, values)) for values in itertools.product(*axes.values())]
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        rows = pool.map(
            lambda point: _point(
                named[point["model"]], point, x, labels, calibrate, time_first
            ),
            points,
        )
        return Designs(list(_watched(rows, len(points))))

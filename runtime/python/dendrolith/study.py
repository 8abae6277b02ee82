# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Studies of many designs, which `dendrolith explore` measures and keeps in a folder."""

from __future__ import annotations

import csv
import io
import os
import re
from typing import Any, Dict, List, Optional, Union

from .binary import ran
from .errors import DendrolithError
from .html import table
from .texts import path_of, written

Path = Union[str, "os.PathLike[str]"]


def _number(text: str) -> Any:
    """A cell of the table: a number, a text, or None where nothing stands."""
    if not text:
        return None
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


class Study:
    """The measured designs of a study.

    `rows` has a dict for each design: `id` ("P1"), `state` ("done", "unfit",
    "invalid", "failed", "timeout" or "excluded") with its `reason`, the values of
    the axes, and what came of it in the units of `dendrolith explore`: energies in
    uJ, times in us, areas in mm2, bands as two columns ("energy.low",
    "energy.high"). `folder` is where the study is kept.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = path_of(folder, "folder")
        rows = csv.DictReader(io.StringIO(self._csv(), newline=""))
        self.rows: List[Dict[str, Any]] = [
            {key: _number(value) for key, value in row.items()} for row in rows
        ]

    def _csv(self) -> str:
        return ran("explore", self.folder, "--format", "csv")

    def __getitem__(self, name: str) -> Dict[str, Any]:
        """Return the design of that id: study["P4"]."""
        for row in self.rows:
            if row["id"] == name:
                return row
        raise DendrolithError(
            f"no design '{name}', the study has {len(self.rows)} from P1 on"
        )

    def __len__(self) -> int:
        return len(self.rows)

    def front(self, *values: str) -> List[Dict[str, Any]]:
        """Return the designs that no other one beats in these values, such as
        "latency.mean", "energy" and "area", or in the study's own objectives.

        `standing` is "certain", or "possible" where bands leave it open.
        """
        told = ran("explore", self.folder, "--pareto", *([",".join(values)] if values else []))
        shown = re.findall(r"^ +(\S+) +(certain|possible) ", told, re.MULTILINE)
        return [dict(self[name], standing=standing) for name, standing in shown]

    def best(self, value: str, *constraints: str) -> str:
        """Say which design is the best by a value, under constraints such as
        "latency.mean < 20 us"."""
        return ran("explore", self.folder, "--best", value, *constraints)

    def difference(self, first: str, second: str) -> str:
        """Say how two designs differ, on the same samples: "P1", "P4"."""
        return ran("explore", self.folder, "--diff", first, second)

    def tornado(self, value: str) -> str:
        """Say how far a value moves where one axis alone leaves the baseline."""
        return ran("explore", self.folder, "--tornado", value)

    def report(self, path: Path) -> None:
        """Write the study as one HTML file."""
        ran("explore", self.folder, "--html", written(path, "report"))

    def to_csv(self, path: Path) -> None:
        """Write the table of all designs."""
        path = path_of(path, "to_csv")
        try:
            with open(path, "w", newline="", encoding="utf-8") as file:
                file.write(self._csv())
        except OSError as error:
            raise DendrolithError(f"{path}: {error.strerror}") from error

    def to_frame(self) -> Any:
        """Return the rows as a pandas.DataFrame."""
        from .frames import frame

        return frame(self.rows)

    def __repr__(self) -> str:
        good = sum(row["state"] == "done" for row in self.rows)
        return f"<dendrolith.Study of {len(self)} designs, {good} measured>"

    def _repr_html_(self) -> str:
        return table(self.rows, repr(self)[1:-1])


def measured(study: Path, out: Optional[Path], jobs: int) -> Study:
    """Measure the designs of a study's file or folder that are missing."""
    path = path_of(study, "explore")
    if not os.path.exists(path):
        raise DendrolithError(f"{path}: no such file", file=path)
    folder = path
    arguments = [path, "--jobs", str(jobs)]
    if not os.path.isdir(path):
        if out is None:
            raise DendrolithError(
                f"{path}: expected out=, the folder that keeps the designs",
                hint="give out=",
            )
        folder = path_of(out, "out")
        arguments += ["--out", folder]
    ran("explore", *arguments)
    return Study(folder)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `dendrolith check` found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional

from .html import table
from .parts import Warned, warning_of
from .words import Own, hinted, said


@dataclass(frozen=True)
class Finding:
    """Something that keeps a network from running.

    `kind` is "error" (the model is wrong), "unsupported" (the chip has no engine
    for it) or "unfit" (the chip has too little of `resource`: the network needs
    `used` at the least, the chip has `limit`). `hint` says what to do; `target`
    is None where the model itself is meant. What a message does not say is None.
    """

    kind: str
    message: str
    target: Optional[str]
    node: Optional[str]
    resource: Optional[str]
    used: Optional[int]
    limit: Optional[int]
    hint: Optional[str]
    severity: str = "error"

    def __str__(self) -> str:
        on = f"{self.target}: " if self.target else ""
        return f"{on}{self.message}"


@dataclass(frozen=True)
class Verdict:
    """What became of one chip: `verdict` is "fits", "does not fit",
    "unsupported", "error", "not judged", or "undecided" where a rule of its tool is a
    guess (`assumed-rule`). `cores` are those of a mapping that was found, of
    `available` ones; `needs` has by resource what the network takes at the least,
    whatever its mapping."""

    target: str
    verdict: str
    cores: Optional[int]
    available: Optional[int]
    needs: List[Dict[str, Any]]

    @property
    def ok(self) -> bool:
        return self.verdict == "fits"


def _finding(
    row: Mapping[str, Any], target: Optional[str], own: Optional[Own]
) -> Finding:
    return Finding(
        row["kind"],
        said(row["message"], own),
        target,
        row["node"],
        row["resource"],
        row["used"],
        row["limit"],
        hinted(row["hint"], own),
    )


class Report:
    """All findings, and a verdict for each chip; true where all of them fit."""

    def __init__(self, data: Mapping[str, Any], own: Optional[Own] = None) -> None:
        self._data = dict(data)
        self.ok = bool(data["ok"])
        self.model = str(data["model"])
        self.findings: List[Finding] = [
            _finding(row, None, own) for row in data["findings"]
        ]
        self.targets: Dict[str, Verdict] = {}
        for row in data["targets"]:
            self.findings += [
                _finding(one, row["target"], own) for one in row["findings"]
            ]
            self.targets[row["target"]] = Verdict(
                row["target"],
                row["verdict"],
                row["cores"],
                row["available_cores"],
                list(row["needs"]),
            )
        self.warnings = [warning_of(row, own) for row in data["warnings"]]

    def __bool__(self) -> bool:
        return self.ok

    def as_dict(self) -> Dict[str, Any]:
        """Return what `dendrolith check --format json` prints."""
        return dict(self._data)

    def to_frame(self) -> Any:
        """Return the findings as a pandas.DataFrame."""
        from .frames import frame

        return frame([vars(finding) for finding in self.findings])

    def __str__(self) -> str:
        lines = []
        for verdict in self.targets.values():
            cores = (
                f", in {verdict.cores} of {verdict.available} cores"
                if verdict.cores is not None
                else ""
            )
            lines.append(f"{verdict.target}: {verdict.verdict}{cores}")
        for finding in self.findings:
            lines.append(f"  {finding}")
            if finding.hint and finding.hint not in finding.message:
                lines.append(f"    what would help: {finding.hint}")
        lines += [f"  warning: {warning}" for warning in self.warnings]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<dendrolith.Report {'ok' if self.ok else 'not ok'}>\n{self}"

    def _repr_html_(self) -> str:
        rows = [
            {
                "target": finding.target or "",
                "kind": finding.kind,
                "node": finding.node or "",
                "message": finding.message,
                "resource": finding.resource or "",
                "used": finding.used,
                "limit": finding.limit,
                "what would help": finding.hint or "",
            }
            for finding in self.findings
        ]
        title = "\n".join(f"{v.target}: {v.verdict}" for v in self.targets.values())
        return table(rows, title)

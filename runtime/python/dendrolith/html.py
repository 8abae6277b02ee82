# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables for notebooks."""

from __future__ import annotations

from html import escape
from typing import Any, Mapping, Sequence


def table(rows: Sequence[Mapping[str, Any]], title: str = "") -> str:
    """Return rows with the same keys as an HTML table below lines of text."""
    lines = "<br>".join(escape(line) for line in title.splitlines())
    if not rows:
        return f"<p>{lines}</p>"
    head = "".join(f"<th>{escape(str(key))}</th>" for key in rows[0])
    body = "".join(
        "<tr>"
        + "".join(
            f"<td>{escape('' if value is None else str(value))}</td>"
            for value in row.values()
        )
        + "</tr>"
        for row in rows
    )
    return f"<p>{lines}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

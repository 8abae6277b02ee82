# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables for those who have pandas, which nothing else needs."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

from .errors import DendrolithError


def frame(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Return the rows as a pandas.DataFrame."""
    try:
        import pandas  # type: ignore[import]
    except ImportError as error:
        raise DendrolithError(
            "pandas is not installed, which to_frame() needs; install it, or take "
            "the rows as dicts",
            hint="install pandas",
        ) from error
    return pandas.DataFrame([dict(row) for row in rows])

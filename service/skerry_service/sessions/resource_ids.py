"""Ids that the service gives. An installation with a cell appends it: ``mfzwizltmfzwizlt.eu1``.

A proxy in front of several installations reads the cell and sends the call there (docs/how-to/cells.md).
"""

from __future__ import annotations

CELL = r"[a-z][a-z0-9-]{0,15}"
"""The id of a cell, as a regular expression."""
CELL_SUFFIX = rf"(?:\.{CELL})?"
SERVICE_ID = rf"[a-z2-7]{{16}}{CELL_SUFFIX}"
"""The id of a session or a tournament."""


def in_cell(own: str, cell: str) -> str:
    """Return an id that begins with ``own``, in a cell; an empty cell means an installation without one."""
    return f"{own}.{cell}" if cell else own


def cell_of(name: str) -> str:
    """Return the cell of a name or an id; an empty text if it has none."""
    return name.rpartition(".")[2] if "." in name else ""

"""What a kind of fault is, and what comes of trying it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Asked:
    """How a kind is to be tried."""

    seconds: float
    """For how long faults are made. Starting, ending and checking come on top of it."""
    seed: int = 0
    """The same seed makes the same plans; the moments at which they meet the service differ."""
    planted: str = ""
    """A mistake that the service is to make, so that the suite can be tried (``doomed``)."""
    pause: float = 0.0
    """Seconds that the bots of a ladder wait before each move, so that an hour of them costs little."""
    namespaces: bool = True
    """Whether networks may be made, where that is allowed."""


@dataclass
class Row:
    """How often one sort of fault was made, and how often play went on after it."""

    what: str
    tried: int = 0
    survived: int = 0


@dataclass
class Outcome:
    """What came of a kind."""

    rows: list[Row] = field(default_factory=list)
    lost: int = 0
    """Acknowledged moves that are not in the log, moves that are there twice, and whatever else should not be."""
    received: str = ""
    """What was played meanwhile."""
    findings: list[str] = field(default_factory=list)
    """What was found wrong, in words."""

    @property
    def tried(self) -> int:
        return sum(row.tried for row in self.rows)

    @property
    def survived(self) -> int:
        return sum(row.survived for row in self.rows)

    @property
    def good(self) -> bool:
        """Whether something was tried, and nothing was lost and nothing ended by it."""
        return self.lost == 0 and not self.findings and 0 < self.tried == self.survived


@dataclass(frozen=True)
class Kind:
    """One kind of fault."""

    name: str
    what: str
    run: Callable[[Asked], Awaitable[Outcome]]


class Struck:
    """Faults as they are made, each with how far play had come by then: one that play went on after is survived."""

    def __init__(self, sorts: Iterable[str] = ()) -> None:
        """``sorts``: what there is, in the order in which it is printed; others follow."""
        self._made: dict[str, list[int]] = {sort: [] for sort in sorts}

    def note(self, sort: str, progress: int) -> None:
        """Note a fault, made when play had come so far."""
        self._made.setdefault(sort, []).append(progress)

    def rows(self, progress: int) -> list[Row]:
        """Return what came of all of them, if play came so far in the end."""
        return [
            Row(sort, len(made), sum(then < progress for then in made)) for sort, made in self._made.items() if made
        ]


def complaints(errors: Path) -> list[str]:
    """Return what a service should not have said on stderr."""
    lines = errors.read_text().splitlines()
    return [f"stderr: {lines[number - 1]}" for number, line in enumerate(lines) if line.startswith("Traceback")]

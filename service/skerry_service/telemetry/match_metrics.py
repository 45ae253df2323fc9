"""Metrics of the matchmaker. Only the replica that leads the queues of a game counts."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Gauge

from skerry_service.telemetry.fast_counters import FastCounter, FastHistogram

_WAIT_BUCKETS = (0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0)
_ROUND_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
_GAME = ("game",)


class MatchMetrics:
    """Counts tickets, proposals, no-shows and rounds by game."""

    def __init__(self, registry: CollectorRegistry) -> None:
        help_text = "Matchmaking tickets that wait for the matcher in this process."
        self._tickets = Gauge("skerry_match_tickets", help_text, _GAME, registry=registry)
        help_text = "Time from the arrival of a ticket to its seat at a matched table."
        self._waits = FastHistogram("skerry_match_wait_seconds", help_text, _GAME, _WAIT_BUCKETS, registry)
        self._proposals = FastCounter("skerry_match_proposals", "Proposals made.", _GAME, registry)
        help_text = "Tickets that did not confirm a proposal."
        self._no_shows = FastCounter("skerry_match_no_shows", help_text, _GAME, registry)
        help_text = "Duration of the rounds of the matcher."
        self._rounds = FastHistogram("skerry_match_round_seconds", help_text, _GAME, _ROUND_BUCKETS, registry)

    def round_done(self, game: str, seconds: float) -> None:
        """Count a round and its duration."""
        self._rounds.add(seconds, game)

    def waiting(self, game: str, count: int) -> None:
        """Record the number of tickets that wait for this matcher."""
        self._tickets.labels(game).set(count)

    def proposed(self, game: str, count: int) -> None:
        """Count proposals."""
        for _ in range(count):
            self._proposals.add(game)

    def missed(self, game: str, count: int) -> None:
        """Count tickets that did not confirm a proposal."""
        for _ in range(count):
            self._no_shows.add(game)

    def seated(self, game: str, seconds: float) -> None:
        """Count a ticket that has got a seat, and the time that it has waited."""
        self._waits.add(seconds, game)

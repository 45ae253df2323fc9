"""The fixtures of the tests of sessions: a store in memory and two replicas over it."""

from __future__ import annotations

from tests.sessions.conftest import _pairs_is_played_here, another, sessions, store

__all__ = ["_pairs_is_played_here", "another", "sessions", "store"]

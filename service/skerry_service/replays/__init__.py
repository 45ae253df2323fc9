"""Replays of games: verification of finished ones, checks before an upgrade, and rows for analysis. Writes nothing."""

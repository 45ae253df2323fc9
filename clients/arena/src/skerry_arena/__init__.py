"""Tournaments between players of ``skerry_games``. Guide: ``docs/how-to/tournaments.md``.

A tournament has a plan, which follows from its settings and seed, and a log with one line for each finished game. The
report follows from both. ``plan`` and ``rounds`` list the games, ``play`` plays one game, ``programs`` runs players as
programs, ``running`` plays a plan into a log, ``statistics`` evaluates the log, and ``reports`` writes the report.
"""

from skerry_arena.version import __version__

__all__ = ["__version__"]

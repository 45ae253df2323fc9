"""Tournaments between players of ``skerry_games``. Guide: ``docs/how-to/tournaments.md``.

A tournament is a plan, which follows from its settings and their seed, and a log with a line for each finished game.
All that is reported follows from both. ``plan`` says who plays what, ``play`` plays one game, ``programs`` lets any
program take a seat, ``running`` plays a plan into a log, ``statistics`` counts, ``reports`` tells.
"""

from skerry_arena.version import __version__

__all__ = ["__version__"]

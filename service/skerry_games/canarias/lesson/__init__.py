"""The lesson of Islas Canarias: a guided first game."""

from skerry_games.canarias.lesson.course import LESSON

__all__ = ["LESSON"]

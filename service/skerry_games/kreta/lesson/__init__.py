"""The lesson of Kreta: a guided first game."""

from skerry_games.kreta.lesson.course import LESSON

__all__ = ["LESSON"]

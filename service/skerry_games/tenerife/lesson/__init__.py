"""The lesson of Tenerife: a guided first game."""

from skerry_games.tenerife.lesson.course import LESSON

__all__ = ["LESSON"]

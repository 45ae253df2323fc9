"""Lessons in sessions: the course of a guided first game, and the moves that bots make in it."""

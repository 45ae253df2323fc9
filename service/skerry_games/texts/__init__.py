"""Positions in words: the form of their lines, and the text of a game without one of its own."""

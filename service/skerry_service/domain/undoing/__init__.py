"""Undo as values: the run of moves that a seat can take back, and the transition.

Pure, like all of ``domain``.
"""

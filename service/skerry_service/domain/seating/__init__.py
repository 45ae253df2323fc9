"""Seats as values: who takes, leaves, reserves or loses one, and under which name.

Pure, like all of ``domain``.
"""

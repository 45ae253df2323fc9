"""Seats as values: joining, leaving, reserving and losing a seat, and display names.

Pure, like all of ``domain``.
"""

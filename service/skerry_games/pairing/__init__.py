"""Tournaments as values: their games, the tables of each round, and the final places, from settings and results.

This package knows players by their indexes in the settings, and results by the share of opponents beaten at a table.
"""

"""Chooses the tables of each round of a Swiss tournament or a knockout from the results of earlier rounds.

This package knows players by their indexes in the settings, and results by the share of opponents beaten at a table.
"""

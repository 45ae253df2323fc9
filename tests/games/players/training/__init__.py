"""Computes the weights of learnt evaluations: ``python -m tests.games.players.training --help``."""

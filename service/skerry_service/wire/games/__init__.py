"""The codec of each game, between its values and its messages: one module a game, named by the game's id.

Knows its own game, its own messages and ``wire.unions``.
"""

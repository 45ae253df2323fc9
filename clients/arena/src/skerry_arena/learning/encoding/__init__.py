"""Moves and views of a game as numbers: ``GameEncoding`` (``game_encoding``) has both. Needs no extra."""

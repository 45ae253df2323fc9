"""``skerry new-game``: the files of a new game, from templates."""

"""The printed components: tiles, cards and tokens, the checks of their file, and their drawings.

``house.json`` is read once, checked and frozen. An owner of the game can replace it.
"""

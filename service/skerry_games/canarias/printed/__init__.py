"""The printed components: islands, cards, and the colours, features and powers on them.

``house.json`` is read once, checked and frozen. An owner of the game can replace it.
These modules know no state of a game.
"""

"""The table of Small Islands: cells, the tiles, ships and tokens on them, and what follows from their positions.

``table`` holds what has been laid, ``chart`` the derived islands and free cells, ``cells`` sets of cells as integers.
Nothing here knows seats' turns, cards or the phases of a round.
"""

"""The phases of a round of Small Islands: preparation, exploration, reward, and the end of the game.

Each module lists the legal moves of its decisions, applies them, and refuses illegal ones with a rule id.
Nothing here draws at random.
"""

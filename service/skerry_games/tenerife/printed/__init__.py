"""The printed board and cards: what a copy of the game consists of, and how it is drawn."""

"""How Kreta is drawn: the shape of the island, and the symbols of its pieces and cards."""

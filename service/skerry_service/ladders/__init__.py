"""Ladders: registered bots, pairing without end, results that count once, and ratings."""

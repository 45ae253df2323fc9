"""Replays: games retold from what was told of them."""

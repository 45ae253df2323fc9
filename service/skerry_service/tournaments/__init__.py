"""Tournaments of registered bots and people: entries, pairings, results."""

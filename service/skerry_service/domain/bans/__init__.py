"""Bans of addresses, API keys and players as values, and their errors."""

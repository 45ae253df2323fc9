"""Bots that think: players of ``skerry_games.players`` in processes of their own, as levels of the service."""

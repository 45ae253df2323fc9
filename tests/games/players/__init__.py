"""Tests of the players of ``skerry_games``. ``ladder`` measures their strength."""

"""Tests of the players that come with the rules; ``ladder`` measures how strong they are."""

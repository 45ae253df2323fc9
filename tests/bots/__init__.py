"""Tests of the bots that think: their processes, and games against them."""

"""Tests of what the service tells by requests of its own."""

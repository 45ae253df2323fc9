"""Ladders of people: which tables count, and erasure of people."""

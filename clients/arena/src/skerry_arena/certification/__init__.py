"""Certification: a player is put through trouble that can come, and what it failed is said."""

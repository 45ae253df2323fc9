"""The enforcement of bans on calls."""

"""Lists of sessions: the public ones, and those of a player. Indexes say where to look, and sessions what is true."""

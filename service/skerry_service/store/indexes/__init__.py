"""Indexes of sessions in Redis: the public list, and the sessions of each player."""

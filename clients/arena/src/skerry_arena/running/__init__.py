"""Plays what a plan has and a log lacks: the folder of a tournament, its log, and the processes that play."""

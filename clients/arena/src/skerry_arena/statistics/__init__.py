"""What can be said of the players, and how surely. All of it follows from the settings and the log.

The unit is the block: the games of one are not independent, blocks are. So intervals come from drawing blocks anew,
with replacement, and counting again.
"""

"""One game of a tournament: contestants, clocks, the referee, the score and the record.

This package knows the rules of the games and the settings. It knows no service, no log and no other games.
"""

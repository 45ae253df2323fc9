"""The actions of a round: drawing, building, loading the ship, its arrival, pirates and privileges.

Each function takes a state and returns the next state with its events. Functions never draw random numbers.
These modules know states, moves, events and the printed components. ``rules.py`` and ``chance.py`` call them.
"""

"""The actions of a round: laying characters, activating them, and what each character does.

Each function takes a state and returns the next state with its events. Functions never draw random numbers.
These modules know states, moves, events and the board. ``rules.py``, ``chance.py``, views and advice call them.
"""

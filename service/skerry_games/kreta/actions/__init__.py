"""The actions of Kreta's seven character cards: legal moves, effects, and refusals with their rule ids.

A module per card, and ``card_play`` for playing a card. Functions take and return states of ``kreta.state``.
Nothing here draws at random.
"""

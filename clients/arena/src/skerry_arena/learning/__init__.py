"""Games for programs that learn: views as arrays, moves as numbers, for PettingZoo and OpenSpiel; games to learn from.

``environment`` needs the extra ``pettingzoo``, ``openspiel`` that of its name, ``decisions`` the extra ``parquet``; the
rest needs nothing but the rules.
"""

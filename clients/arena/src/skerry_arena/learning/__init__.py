"""Games for programs that learn: views as arrays, moves as numbers, environments of PettingZoo, games to learn from.

``spelling`` and ``features`` need nothing but the rules; ``environment`` needs the extra ``pettingzoo``, ``decisions``
the extra ``parquet``.
"""

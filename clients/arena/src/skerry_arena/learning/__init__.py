"""Learning environments: views as arrays and moves as numbers, for Gymnasium, PettingZoo and OpenSpiel; data sets.

``pettingzoo`` and ``openspiel`` need the extras of these names, and ``decision_export`` the extra ``parquet``. The
other modules need no extra: ``GameEncoding`` (``game_encoding``) has the encodings of one game.
"""

"""Learning environments: views as arrays and moves as numbers, for PettingZoo and OpenSpiel, and data sets of games.

``environment`` needs the extra ``pettingzoo``, ``openspiel`` the extra ``openspiel``, and ``decision_export`` the extra
``parquet``. The other modules know only the rules of the games.
"""

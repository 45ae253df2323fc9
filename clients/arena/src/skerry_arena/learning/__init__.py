"""Learning environments for Gymnasium (``gymnasium``, ``vector``), PettingZoo, OpenSpiel and texts, and data sets.

``gymnasium``, ``vector``, ``pettingzoo``, ``openspiel`` and ``decision_export`` (``parquet``) need an extra. So does
``ppo`` (``gymnasium``), which trains networks.
"""

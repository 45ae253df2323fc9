"""``skerry new-bot``: the files of a new bot. Its module is ``starter_bot.py``, word for word."""

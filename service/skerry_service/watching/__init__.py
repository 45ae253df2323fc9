"""Following a session: live and delayed feeds, the streams that read them, and the presence of players.

Knows ``domain`` and the loading of sessions; knows no transport.
"""

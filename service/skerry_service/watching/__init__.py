"""Following a session: live and delayed feeds, the stream readers on top of them, and the presence of players.

May know ``domain``, the store port and the loading of logs. Knows no protobuf and no transport.
"""

"""Between values and messages: codecs of the games, messages of sessions, and answers serialized once.

Knows ``domain``, ``skerry_games`` and protobuf; knows no transport. Every field that leaves is named here.
"""

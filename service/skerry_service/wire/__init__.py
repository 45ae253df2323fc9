"""Conversion between values and messages: game codecs, messages of sessions, JSON, and serialized responses.

Knows ``domain``, ``skerry_games`` and protobuf, but no transport. Every field that leaves the service is written here.
"""

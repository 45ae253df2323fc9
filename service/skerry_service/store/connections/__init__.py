"""Connections to Redis: one server, Sentinels or a cluster, pipelined and within deadlines.

Knows redis-py; knows nothing of what is stored.
"""

"""Wiring: settings, and the construction of a server from its parts.

Knows every room. Only ``cli`` and ``local`` know it.
"""

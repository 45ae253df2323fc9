"""Wiring: settings, and the construction of a server from its parts.

Knows everything; nothing knows it but ``cli`` and ``local``.
"""

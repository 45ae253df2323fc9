"""Play on a service: bots that take seats, and tournaments whose games are sessions.

This package alone knows the client and its messages, together with the actions of ``cli`` that use it. It needs the
extra ``remote``.
"""

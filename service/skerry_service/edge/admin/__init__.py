"""``AdminService``: the RPCs for operators, and their page, on a port of their own.

Knows ``api``, ``sessions`` and the other transports.
"""

"""Actions of players, hosts and operators besides moving: one module for each role.

Each action decides with ``domain.transitions`` and commits with ``sessions.commits``.
"""

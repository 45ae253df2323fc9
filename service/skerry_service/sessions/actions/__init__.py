"""What players, hosts and operators do at a session beside moving: one module for each role.

Each action decides by ``domain.transitions`` and commits by ``sessions.commits``.
"""

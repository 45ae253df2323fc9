"""Commands for operators: backup, restore, doctor, export, forget and admin.

Knows everything, like all of ``cli``.
"""

"""Commands for operators: backup, doctor, export, erasure and the operators' calls.

Knows everything, like all of ``cli``.
"""

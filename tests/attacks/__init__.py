"""What one client can try against all others. ``make attack`` tries it, against a service of its own on loopback.

An attack is one function in a module that ``__main__`` lists: it hurts the ``Ground`` that it is given, and returns
how much of something that took. Its bound says how much it may. Meanwhile a victim plays, in a process of its own.
"""

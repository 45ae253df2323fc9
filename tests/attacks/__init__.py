"""Attacks by one client on all others. ``make attack`` runs them against its own service on loopback.

An attack is one function in a module that ``__main__`` lists. It attacks the service of the ``Target`` that it receives
and returns one measurement, such as the memory it consumed. The measurement must not exceed the bound of the attack.
Meanwhile a victim plays in another process.
"""

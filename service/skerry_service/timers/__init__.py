"""Events that happen in a session without a call: deadlines, absences, and the decisions of bots that think.

May know ``sessions``. An index in the store says only when to check a session; the session decides what is due.
"""

"""What happens at a session without a call: deadlines, absences, and the decisions of bots that think.

Knows ``sessions``; an index in the store says when to look, the session says what is due.
"""

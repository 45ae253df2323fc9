"""``skerry play``: a game in the terminal, with a person or with random players.

Knows the client and the API's messages; knows no rules.
"""

"""``skerry play``: a person or random bots at a table, in the terminal.

Knows the client and the API's messages; knows no rules.
"""

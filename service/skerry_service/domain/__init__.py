"""A session as a value: its record, its log, and the changes that each call makes.

Pure: takes times, random seeds and random bytes as arguments. Knows ``skerry_games`` and nothing else of the service.
"""

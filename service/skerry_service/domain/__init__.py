"""A session as a value: its record and its log, and the changes that each call makes.

Pure: times, random seeds and random bytes are arguments. Knows ``skerry_games`` and no other room of the service.
"""

"""The codec of each game, derived from its structs and its messages, field by field, by name.

``game_codec`` has the codec; the other modules match the two sides, write and read.
"""

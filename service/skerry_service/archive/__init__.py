"""The archive of finished games, in a directory or an object store. The API still serves the games from there.

It implements ``ArchivePort``, moves finished sessions there from the store, and erases names on request. It knows the
log of a session; it knows neither Redis nor any RPC.
"""

"""Agents on language models: the tools of the Model Context Protocol, their texts, and the sealed handles of seats.

A client of the API, over any transport. Needs the extra ``mcp``.
"""

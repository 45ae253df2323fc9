"""Reads requests: checks their fields, and converts them to values of the domain."""

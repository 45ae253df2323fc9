"""HTTP requests that the service sends itself: allowed receivers, payloads, signatures, delivery and retries.

May know ``domain``, ``sessions``, the delivery index of the store port, and which language a tag names.
"""

"""Access control: API keys, TLS certificates, rate limits and concurrency limits.

Knows the errors and limits of ``domain``, and no sessions or transports.
"""

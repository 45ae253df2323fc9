"""Access control: API keys, certificates, and how much each caller may ask for.

Knows the errors and limits of ``domain``; knows nothing of sessions or transports.
"""

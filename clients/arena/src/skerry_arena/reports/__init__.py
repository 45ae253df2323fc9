"""The report of a tournament: tables, an HTML page, a manifest, and the verification of the log.

All of it follows from the settings and the log. This package knows no players, no processes and no service.
"""

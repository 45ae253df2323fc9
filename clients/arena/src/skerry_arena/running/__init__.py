"""Plays plans into logs, in this process, in a pool or on a Ray cluster. A killed tournament can resume.

This package knows the plan, the folder and the log of a tournament, and its engines. It knows no report and no service.
"""

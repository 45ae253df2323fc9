"""What all versions of HTTP share: requests and responses, limits, CORS, allowed hosts, and the errors of HTTP itself.

Knows no connections and no sessions.
"""

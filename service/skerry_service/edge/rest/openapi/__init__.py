"""The API description (OpenAPI 3.1), generated from message descriptors, proto comments and the table of routes.

Knows ``api``, ``wire`` and the routes of ``edge.rest``.
"""

"""The packages that are published: their versions and links, and what users get who install them by name.

``make check-packages`` builds them into ``dist`` and runs the tests marked ``packages``.
"""

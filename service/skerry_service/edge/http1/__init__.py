"""HTTP/1.1 on one connection, for ASGI applications. Knows httptools, and no sessions."""

"""Certifies programs that play through the API: between them and a service stands a proxy that makes trouble."""

"""The API description (OpenAPI 3.1), made from the descriptors, the comments of the protos and the table of routes."""

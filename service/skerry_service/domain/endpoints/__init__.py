"""The webhook endpoints of applications."""

"""The RPCs about the webhook endpoints of applications."""

"""For receivers of webhooks: ``verify`` checks a request and returns its payload."""

from skerry_client.webhooks.verification import WebhookInvalid, verify

__all__ = ["WebhookInvalid", "verify"]

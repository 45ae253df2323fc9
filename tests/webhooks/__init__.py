"""Tests of webhooks: allowed receivers, requests, deliveries and retries."""

"""Upgrades of a store: its format number, the migration of earlier formats, and the repair of indexes."""

"""Webhooks: addresses elsewhere that are told what every spectator of a table may know."""

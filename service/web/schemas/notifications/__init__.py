"""Schemas of webhooks, devices and outgoing calls."""

"""Webhooks, devices and deliveries."""

"""The outbox, webhooks, devices and their deliveries."""

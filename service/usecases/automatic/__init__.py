"""What happens without a request: turns of AIs and endpoints, what time brings, deliveries of webhooks."""

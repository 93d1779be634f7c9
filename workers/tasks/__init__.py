"""What background workers compute: analyses and tournaments."""

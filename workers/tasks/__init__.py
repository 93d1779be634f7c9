"""Tasks of background workers: analyses and tournaments."""

"""The job queue, background tasks and their backlog."""

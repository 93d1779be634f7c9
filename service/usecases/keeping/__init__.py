"""Run due work, archive games, show the state of the service."""

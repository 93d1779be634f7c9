"""Schemas of games, events, positions and records."""

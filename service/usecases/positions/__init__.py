"""Positions without a game: legal actions, checks, notation."""

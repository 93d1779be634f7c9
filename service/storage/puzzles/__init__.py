"""Attempts of players at puzzles."""

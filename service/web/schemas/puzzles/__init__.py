"""Schemas of puzzles."""

"""Competitions of players: pairing and standings. Pure functions without HTTP, Redis or rules of games."""

"""Competitions of players: who plays whom, and how they stand. Pure: knows no HTTP, no Redis, no rules of games."""

"""Schemas of players, identities, ratings and leaderboards."""

"""Schemas of seeks, challenges, competitions and bots."""

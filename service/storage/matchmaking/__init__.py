"""Seeks, challenges, competitions and public bots."""

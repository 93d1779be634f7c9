"""Seeks, challenges, competitions and published bots, and the pairing of players."""

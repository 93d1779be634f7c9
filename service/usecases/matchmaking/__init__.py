"""Seeks, challenges, competitions, published bots and the pairing of all of them."""

"""Learned weights: evaluations and networks."""

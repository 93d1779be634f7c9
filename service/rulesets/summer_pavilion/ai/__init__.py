"""Evaluation of positions, and levels."""

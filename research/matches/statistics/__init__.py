"""Elo, confidence sequences and plots of matches."""

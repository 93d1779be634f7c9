"""Puzzles that the service ships: positions in which one action is best and not obvious."""

"""Conversion of actions, draws, effects and positions to JSON and back."""

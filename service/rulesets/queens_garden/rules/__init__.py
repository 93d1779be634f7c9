"""The rules of the rulebook, as compiled pure functions."""

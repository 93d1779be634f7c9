"""What a position is worth, and how the levels play."""

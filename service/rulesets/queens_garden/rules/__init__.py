"""What the rulebook says: compiled, pure."""

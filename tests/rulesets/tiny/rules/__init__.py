"""The rulebook of Tiny."""

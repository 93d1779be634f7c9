"""Games of our players as tables, for others to learn from. See docs/guides/datasets.md."""

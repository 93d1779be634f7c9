"""Datasets of AI games as tables. See docs/guides/datasets.md."""

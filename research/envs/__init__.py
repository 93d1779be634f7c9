"""Environments for those who train: every ruleset, on the compiled rules. See docs/guides/training.md."""

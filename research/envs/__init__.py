"""Training environments for every ruleset, on the compiled rules. See docs/guides/training.md."""

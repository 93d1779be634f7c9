"""Benchmark matches, which measure the strength of levels, search settings and other programs."""

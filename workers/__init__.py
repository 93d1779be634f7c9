"""Processes of the service: workers that make the decisions of AIs, keepers, dialers, and the search."""

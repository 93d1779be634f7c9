"""Processes besides the web servers: workers, keepers, dialers, the metrics exporter, and the search."""

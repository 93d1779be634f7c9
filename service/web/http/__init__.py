"""HTTP for all resources: authorization, parsing, problems, limits, streams."""

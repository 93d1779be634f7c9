"""Worker processes: pools, heartbeats, the process that runs jobs."""

"""Processes of workers: pools, heartbeats and the child that runs jobs."""

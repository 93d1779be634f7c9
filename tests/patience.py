"""How long tests wait: they share the machine, and nothing in them depends on how fast it is."""

SOON_S = 10.0
"""What is to happen at once has happened by then; what a test says goes on for longer would still be going on."""

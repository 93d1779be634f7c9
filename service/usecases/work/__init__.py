"""Background tasks: analyses, tournaments, imports."""

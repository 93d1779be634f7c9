"""Work for background workers: analyses, tournaments, imports, and what a task of any kind is."""

"""AI seats: the worker that takes turns, the keeper that wakes it, the search, and the arena that measures it."""

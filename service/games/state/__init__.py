"""The state of a game: seats, clocks, offers and other parts of it."""

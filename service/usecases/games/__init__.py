"""Play: create games, take seats, act, make offers, run clocks and the turns of AIs."""

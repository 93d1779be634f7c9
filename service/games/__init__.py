"""A game being played, pure: its log, the fold of the log, its seats, its chance. No clock, no Redis, no HTTP."""

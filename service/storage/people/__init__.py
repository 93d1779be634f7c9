"""Players: accounts, reserved names, ratings, statistics and sign-ins."""

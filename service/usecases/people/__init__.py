"""Players, identities, ratings, leaderboards, statistics and the deletion of accounts."""

"""How the evaluations learn: games of self-play, and a fit of their weights to how these ended."""
